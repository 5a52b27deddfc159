/** The uses of data in a template: the position in the template and the data path of each. */

/** Property names from the root of the data; `[]` stands for every member of a list or object. */
export type Path = readonly string[];

export const member = '[]';

export interface Use {
  readonly path: Path;
  /** Position of the path in the template. */
  readonly from: number;
  readonly to: number;
  /** Whether the conversion fails if the value is missing; otherwise the template only tests it. */
  needed: boolean;
  /** Whether everything below the path counts as used: the value is printed or passed to a function. */
  readonly usesChildren: boolean;
  /** For each enclosing condition on the path: the number of its steps that are known to exist here. */
  readonly tested: readonly number[];
  /** The values of enclosing blocks that are a prefix of the path. If such a value is optional and missing, its block is skipped. */
  readonly enclosing?: readonly Use[];
}

export interface Uses {
  readonly uses: readonly Use[];
  /** Names whose data path is unknown, such as names in the body of a macro. */
  readonly unresolved: ReadonlySet<string>;
}

/** Formats a path, such as `items[].price`. */
export function pathText(path: Path): string {
  return path.reduce((text, step) => text + (step === member ? '[]' : text === '' ? step : `.${step}`), '');
}

export function startsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((step, index) => path[index] === step);
}

/** The value at a path; for a list, that of its first member. */
export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null) return undefined;
    if (step === member) return Object.values(value)[0];
    return Object.hasOwn(value, step) ? (value as Readonly<Record<string, unknown>>)[step] : undefined;
  }, data);
}
