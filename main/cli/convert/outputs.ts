/** Which file each output is: the one that was named, or one beside its input, or in a folder that keeps the folders of the inputs. */
import { basename, dirname, join, relative, resolve } from 'node:path';
import { outputName } from '../../job/output-name.ts';
import type { Options } from '../../job/options.ts';
import { UsageProblem } from '../usage-problem.ts';
import { folded, isFolder, sharedFolder } from './folders.ts';
import type { Input } from './inputs.ts';

export interface OutputWishes {
  /** A file, or `-`. */
  readonly output?: string | undefined;
  readonly outDir?: string | undefined;
  readonly format: string;
}

/** Absolute, one for each input and no two the same; undefined: standard output. @throws UsageProblem for what cannot be done so */
export function outputsOf(inputs: readonly Input[], wishes: OutputWishes): (string | undefined)[] {
  const { output, outDir } = wishes;
  if (output !== undefined && outDir !== undefined)
    throw new UsageProblem('say either one output or --out-dir.');
  if (output !== undefined) return [namedOutput(inputs, output)];
  const base = outDir === undefined ? undefined : sharedFolder(basesOf(inputs));
  const usual = inputs.map((input) => usualOutput(input, wishes, base));
  return distinct(usual.map((made) => made && { ...made, extension: wishes.format }));
}

function namedOutput(inputs: readonly Input[], output: string): string | undefined {
  if (inputs.length > 1)
    throw new UsageProblem(
      `${inputs.length} inputs cannot become one output, '${output}'; say --out-dir FOLDER.`,
    );
  if (output === '-') return undefined;
  if (isFolder(output))
    throw new UsageProblem(`the output '${output}' is a folder; say --out-dir ${output}.`);
  return resolve(output);
}

interface Names {
  readonly folder: string;
  /** Of the input, with its extension. */
  readonly whole: string;
  readonly stem: string;
}

function usualOutput(input: Input, { outDir, format }: OutputWishes, base?: string): Names | undefined {
  const { stem, whole } = namesOf(input, format);
  if (input.kind !== 'file') {
    if (input.kind === 'stdin' && outDir === undefined) return undefined;
    return { folder: resolve(outDir ?? '.'), whole, stem };
  }
  const own = dirname(input.path);
  if (outDir === undefined) return { folder: own, whole, stem };
  return { folder: resolve(outDir, relative(base ?? own, own)), whole, stem };
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

/** page.html and page.zip beside each other become page.html.pdf and page.zip.pdf; what is still the same is numbered. */
function distinct(
  all: readonly (undefined | (Names & { readonly extension: string }))[],
): (string | undefined)[] {
  const count = new Map<string, number>();
  const pathOf = (made: Names & { extension: string }) => join(made.folder, `${made.stem}.${made.extension}`);
  for (const made of all)
    if (made) count.set(folded(pathOf(made)), (count.get(folded(pathOf(made))) ?? 0) + 1);
  const taken = new Set<string>();
  return all.map((made) => {
    if (made === undefined) return undefined;
    const stem = (count.get(folded(pathOf(made))) ?? 0) > 1 ? made.whole : made.stem;
    for (let number = 1; ; number += 1) {
      const path = join(made.folder, `${stem}${number === 1 ? '' : `-${number}`}.${made.extension}`);
      if (taken.has(folded(path))) continue;
      taken.add(folded(path));
      return path;
    }
  });
}

function basesOf(inputs: readonly Input[]): string[] {
  return inputs.flatMap((input) => (input.kind === 'file' ? [input.base] : []));
}
