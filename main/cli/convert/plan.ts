/** Plans the items: what is converted, into which file, and which local files the page may load. */
import { dirname, relative, resolve, basename, join } from 'node:path';
import { UsageProblem } from '../terminal.ts';
import { assetRootOf, type AssetRoot } from './beside.ts';
import { foldCase, isFolder, sharedFolder } from './place.ts';
import type { Input } from './inputs.ts';
import { outputName } from '../../job/output-name.ts';
import type { Options } from '../../job/options.ts';

export interface Item {
  readonly input: Input;
  /** Absolute path; undefined for standard output. */
  readonly output: string | undefined;
  readonly assetRoot?: AssetRoot;
  /** Absolute path. */
  readonly debugLog?: string;
}

export interface PlanOptions extends OutputOptions {
  /** `none`: pages load no local files. */
  readonly root?: string | undefined;
  readonly debugLog?: string | undefined;
}

export interface Plan {
  readonly items: readonly Item[];
  /** Inputs that may not load files of their folder, because it contains the user's home folder. */
  readonly withoutAssets: readonly Input[];
}

/** @throws UsageProblem for impossible combinations */
export function planItems(inputs: readonly Input[], options: PlanOptions): Plan {
  const outputs = outputsOf(inputs, options);
  const logs = debugLogsOf(outputs, options.debugLog);
  const withoutAssets: Input[] = [];
  const items = inputs.map((input, index): Item => {
    const output = outputs[index];
    const debugLog = logs[index];
    rejectOverwriting(input, output);
    const assetRoot = assetRootOf(input, options.root);
    if (assetRoot === 'closed') withoutAssets.push(input);
    return {
      input,
      output,
      ...(typeof assetRoot === 'object' && { assetRoot }),
      ...(debugLog !== undefined && { debugLog }),
    };
  });
  return { items, withoutAssets };
}

/**
 * One log is a file if the name ends in .html. Otherwise the target is a folder with the structure of the outputs.
 */
function debugLogsOf(outputs: readonly (string | undefined)[], target: string | undefined) {
  if (target === undefined) return [];
  if (outputs.length === 1 && /\.html?$/i.test(target) && !isFolder(target)) return [resolve(target)];
  const base = sharedFolder(outputs.flatMap((path) => (path === undefined ? [] : [dirname(path)])));
  return outputs.map((path) =>
    resolve(target, `${path === undefined || base === undefined ? 'output' : relative(base, path)}.html`),
  );
}

function rejectOverwriting(input: Input, output: string | undefined): void {
  if (input.kind === 'file' && output !== undefined && foldCase(input.path) === foldCase(output))
    throw new UsageProblem(`'${input.name}' would be overwritten by its own output; name another file.`);
}

// Output paths: the named file, a file beside the input, or one in a folder that keeps the inputs' folders.

interface OutputOptions {
  /** A file or `-`. */
  readonly output?: string | undefined;
  readonly outDir?: string | undefined;
  readonly format: string;
}

/**
 * Returns one absolute path for each input, all different; undefined for standard output.
 * @throws UsageProblem for impossible combinations
 */
export function outputsOf(inputs: readonly Input[], options: OutputOptions): (string | undefined)[] {
  const { output, outDir } = options;
  if (output !== undefined && outDir !== undefined)
    throw new UsageProblem('an output and --out-dir cannot be combined.');
  if (output !== undefined) return [namedOutput(inputs, output)];
  const base = outDir === undefined ? undefined : sharedFolder(basesOf(inputs));
  const defaultNames = inputs.map((input) => defaultOutput(input, options, base));
  return makeUnique(defaultNames.map((made) => made && { ...made, extension: options.format }));
}

function namedOutput(inputs: readonly Input[], output: string): string | undefined {
  if (inputs.length > 1)
    throw new UsageProblem(
      `${inputs.length} inputs cannot become one output, '${output}'; use --out-dir FOLDER.`,
    );
  if (output === '-') return undefined;
  if (isFolder(output))
    throw new UsageProblem(`the output '${output}' is a folder; use --out-dir ${output}.`);
  return resolve(output);
}

interface OutputNames {
  readonly folder: string;
  /** File name of the input, with its extension. */
  readonly whole: string;
  readonly stem: string;
}

function defaultOutput(
  input: Input,
  { outDir, format }: OutputOptions,
  base?: string,
): OutputNames | undefined {
  const { stem, whole } = namesOf(input, format);
  if (input.kind !== 'file') {
    if (input.kind === 'stdin' && outDir === undefined) return undefined;
    return { folder: resolve(outDir ?? '.'), whole, stem };
  }
  const inputFolder = dirname(input.path);
  if (outDir === undefined) return { folder: inputFolder, whole, stem };
  return { folder: resolve(outDir, relative(base ?? inputFolder, inputFolder)), whole, stem };
}

function namesOf(input: Input, format: string): { stem: string; whole: string } {
  const extension = `.${format}`;
  const options = { output_format: format } as Options;
  const named =
    input.kind === 'url'
      ? outputName({ input, options })
      : outputName({ input: uploadNamed(input.kind === 'file' ? basename(input.path) : ''), options });
  const stem = named.slice(0, -extension.length);
  return { stem, whole: input.kind === 'file' ? basename(input.path) : stem };
}

function uploadNamed(name: string) {
  return { kind: 'file', upload: { path: '', name, size: 0 } } as const;
}

/**
 * page.html and page.zip in one folder become page.html.pdf and page.zip.pdf. Names that are still equal are
 * numbered.
 */
function makeUnique(
  all: readonly (undefined | (OutputNames & { readonly extension: string }))[],
): (string | undefined)[] {
  const count = new Map<string, number>();
  const pathOf = (made: OutputNames & { extension: string }) =>
    join(made.folder, `${made.stem}.${made.extension}`);
  for (const made of all)
    if (made) count.set(foldCase(pathOf(made)), (count.get(foldCase(pathOf(made))) ?? 0) + 1);
  const taken = new Set<string>();
  return all.map((made) => {
    if (made === undefined) return undefined;
    const stem = (count.get(foldCase(pathOf(made))) ?? 0) > 1 ? made.whole : made.stem;
    for (let number = 1; ; number += 1) {
      const path = join(made.folder, `${stem}${number === 1 ? '' : `-${number}`}.${made.extension}`);
      if (taken.has(foldCase(path))) continue;
      taken.add(foldCase(path));
      return path;
    }
  });
}

function basesOf(inputs: readonly Input[]): string[] {
  return inputs.flatMap((input) => (input.kind === 'file' ? [input.base] : []));
}
