/** Plans the items: what is converted, to which file, and which local files each page may load. */
import { dirname, relative, resolve, basename, join } from 'node:path';
import { UsageProblem } from '../terminal.ts';
import { siblingFolderOf } from './sibling-folder.ts';
import { foldCase, isFolderPath, sharedFolder } from './write-output.ts';
import type { ItemInput } from './inputs.ts';
import type { SiblingFolder } from '../../job/option-kinds.ts';
import { outputName } from '../../job/output-name.ts';
import type { Options } from '../../job/options.ts';

export interface ConversionItem {
  readonly input: ItemInput;
  /** Absolute path; undefined for standard output. */
  readonly output: string | undefined;
  readonly siblingFolder?: SiblingFolder;
  /** Absolute path of the HTML file for the debug log. */
  readonly debugLog?: string;
}

export interface ConversionPlanOptions extends OutputOptions {
  /** The folder of --root, or `none` if pages may load no local files. */
  readonly root?: string | undefined;
  readonly debugLog?: string | undefined;
}

export interface ConversionPlan {
  readonly items: readonly ConversionItem[];
  /** Inputs that may not load files from their folder, because it is or contains the user's home folder. */
  readonly withoutAssets: readonly ItemInput[];
}

/** Plans the items. @throws UsageProblem for invalid combinations */
export function planItems(inputs: readonly ItemInput[], options: ConversionPlanOptions): ConversionPlan {
  const outputs = planOutputs(inputs, options);
  const logs = planDebugLogs(outputs, options.debugLog);
  const withoutAssets: ItemInput[] = [];
  const items = inputs.map((input, index): ConversionItem => {
    const output = outputs[index];
    const debugLog = logs[index];
    rejectOverwriting(input, output);
    const siblingFolder = siblingFolderOf(input, options.root);
    if (siblingFolder === 'closed') withoutAssets.push(input);
    return {
      input,
      output,
      ...(typeof siblingFolder === 'object' && { siblingFolder }),
      ...(debugLog !== undefined && { debugLog }),
    };
  });
  return { items, withoutAssets };
}

/**
 * Returns one path for each debug log. A single log is written to the target if the target's name ends in .html. Otherwise the
 * target is a folder, with the folder structure of the outputs.
 */
function planDebugLogs(outputs: readonly (string | undefined)[], target: string | undefined) {
  if (target === undefined) return [];
  if (outputs.length === 1 && /\.html?$/i.test(target) && !isFolderPath(target)) return [resolve(target)];
  const base = sharedFolder(outputs.flatMap((path) => (path === undefined ? [] : [dirname(path)])));
  return outputs.map((path) =>
    resolve(target, `${path === undefined || base === undefined ? 'output' : relative(base, path)}.html`),
  );
}

function rejectOverwriting(input: ItemInput, output: string | undefined): void {
  if (input.kind === 'file' && output !== undefined && foldCase(input.path) === foldCase(output))
    throw new UsageProblem(`'${input.name}' would be overwritten by its own output; name another file.`);
}

// Output paths: the named file, a file beside the input, or a file in --out-dir with the folder structure of the inputs.

interface OutputOptions {
  /** Path of a file, or `-` for standard output. */
  readonly output?: string | undefined;
  readonly outDir?: string | undefined;
  readonly format: string;
}

/**
 * Returns one absolute path for each input, all different; undefined for standard output.
 * @throws UsageProblem for invalid combinations
 */
function planOutputs(inputs: readonly ItemInput[], options: OutputOptions): (string | undefined)[] {
  const { output, outDir } = options;
  if (output !== undefined && outDir !== undefined)
    throw new UsageProblem('an output and --out-dir cannot be combined.');
  if (output !== undefined) return [namedOutput(inputs, output)];
  const base = outDir === undefined ? undefined : sharedFolder(basesOf(inputs));
  const defaultNames = inputs.map((input) => defaultOutput(input, options, base));
  return makeUnique(defaultNames.map((names) => names && { ...names, extension: options.format }));
}

function namedOutput(inputs: readonly ItemInput[], output: string): string | undefined {
  if (inputs.length > 1)
    throw new UsageProblem(
      `${inputs.length} inputs cannot become one output, '${output}'; use --out-dir FOLDER.`,
    );
  if (output === '-') return undefined;
  if (isFolderPath(output))
    throw new UsageProblem(`the output '${output}' is a folder; use --out-dir ${output}.`);
  return resolve(output);
}

interface OutputNames {
  readonly folder: string;
  /** File name of the input, including its extension. */
  readonly inputName: string;
  readonly stem: string;
}

function defaultOutput(
  input: ItemInput,
  { outDir, format }: OutputOptions,
  base?: string,
): OutputNames | undefined {
  const { stem, inputName } = namesOf(input, format);
  if (input.kind !== 'file') {
    if (input.kind === 'stdin' && outDir === undefined) return undefined;
    return { folder: resolve(outDir ?? '.'), inputName, stem };
  }
  const inputFolder = dirname(input.path);
  if (outDir === undefined) return { folder: inputFolder, inputName, stem };
  return { folder: resolve(outDir, relative(base ?? inputFolder, inputFolder)), inputName, stem };
}

function namesOf(input: ItemInput, format: string): { stem: string; inputName: string } {
  const extension = `.${format}`;
  const options = { output_format: format } as Options;
  const fileName =
    input.kind === 'url'
      ? outputName({ input, options })
      : outputName({ input: uploadInput(input.kind === 'file' ? basename(input.path) : ''), options });
  const stem = fileName.slice(0, -extension.length);
  return { stem, inputName: input.kind === 'file' ? basename(input.path) : stem };
}

function uploadInput(name: string) {
  return { kind: 'file', upload: { path: '', name, size: 0 } } as const;
}

/**
 * Makes the output paths unique. If page.html and page.zip are in one folder, their outputs are page.html.pdf and page.zip.pdf.
 * Paths that are still equal get a number.
 */
function makeUnique(
  outputs: readonly (undefined | (OutputNames & { readonly extension: string }))[],
): (string | undefined)[] {
  const count = new Map<string, number>();
  const pathOf = (output: OutputNames & { extension: string }) =>
    join(output.folder, `${output.stem}.${output.extension}`);
  for (const output of outputs)
    if (output) count.set(foldCase(pathOf(output)), (count.get(foldCase(pathOf(output))) ?? 0) + 1);
  const usedPaths = new Set<string>();
  return outputs.map((output) => {
    if (output === undefined) return undefined;
    const stem = (count.get(foldCase(pathOf(output))) ?? 0) > 1 ? output.inputName : output.stem;
    for (let number = 1; ; number += 1) {
      const path = join(output.folder, `${stem}${number === 1 ? '' : `-${number}`}.${output.extension}`);
      if (usedPaths.has(foldCase(path))) continue;
      usedPaths.add(foldCase(path));
      return path;
    }
  });
}

function basesOf(inputs: readonly ItemInput[]): string[] {
  return inputs.flatMap((input) => (input.kind === 'file' ? [input.base] : []));
}
