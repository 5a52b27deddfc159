/** The uses of data in a template: the data path and the position in the template of each use. */

/** Property names from the root of the data. `[]` stands for every member of a list or object. */
export type Path = readonly string[];

export const member = '[]';

export interface Use {
  readonly path: Path;
  /** Position of the path in the template. */
  readonly from: number;
  readonly to: number;
  /** Whether the conversion fails if the value is missing; otherwise the template accepts a missing value. */
  needed: boolean;
  /** Whether everything below the path counts as used, because the value is printed or passed to a function. */
  readonly usesChildren: boolean;
  /** For each enclosing condition that tests the path or its beginning: the number of path steps that therefore exist here. */
  readonly testedSteps: readonly number[];
  /**
   * The values of enclosing blocks whose path is the beginning of this path. If such a value is optional and missing, its block is
   * skipped.
   */
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

/** Returns the value at a path; undefined if there is none. In a list, `[]` stands for its first member. */
export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null) return undefined;
    if (step === member) return Object.values(value)[0];
    return Object.hasOwn(value, step) ? (value as Readonly<Record<string, unknown>>)[step] : undefined;
  }, data);
}
