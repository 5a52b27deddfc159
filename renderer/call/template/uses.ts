/** What a template asks its data for: each place where it does, and the path it asks for. */

/** Names from the top of the data; `[]` is every member of a list or object. */
export type Path = readonly string[];

export const member = '[]';

export interface Use {
  readonly path: Path;
  /** Where the path stands in the template. */
  readonly from: number;
  readonly to: number;
  /** It fails the conversion when it is missing; else it is only asked whether it is there. */
  needed: boolean;
  /** All that is in it counts as used: it is printed, or given to a function. */
  readonly whole: boolean;
  /** How much of the path is known to be there where it is used, in steps, for each condition around it that asked. */
  readonly tested: readonly number[];
  /** Blocks around it that are about a start of its path: one that may be missing leaves out what is in it. */
  readonly around?: readonly Use[];
}

export interface Uses {
  readonly uses: readonly Use[];
  /** Names in places whose data nobody can know beforehand, such as the body of a macro. */
  readonly loose: ReadonlySet<string>;
}

/** `items[].price`. */
export function written(path: Path): string {
  return path.reduce((text, step) => text + (step === member ? '[]' : text === '' ? step : `.${step}`), '');
}

export function startsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((step, index) => path[index] === step);
}

/** The value at a path, the first one of a list. */
export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null) return undefined;
    if (step === member) return Object.values(value)[0];
    return Object.hasOwn(value, step) ? (value as Readonly<Record<string, unknown>>)[step] : undefined;
  }, data);
}
