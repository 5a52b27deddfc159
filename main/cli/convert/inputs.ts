/** The words that name inputs -> files, addresses, standard input: folders are walked and patterns looked up. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whyUnusable } from '../../failure/no-room.ts';
import { UsageProblem } from '../usage-problem.ts';
import { isFolder } from './folders.ts';
import { isGlob, readGlob } from './glob.ts';

export type Input =
  | {
      readonly kind: 'stdin';
      readonly name: string;
      /** Where it is to be stored; absolute. */
      readonly path: string;
    }
  | { readonly kind: 'url'; readonly name: string; readonly url: URL }
  | {
      readonly kind: 'file';
      /** As it is told. */
      readonly name: string;
      /** Absolute. */
      readonly path: string;
      /** The folder that was given, or in which the pattern begins, or its own; absolute. */
      readonly base: string;
      /** It was found in that folder, not named. */
      readonly found?: true;
    };

interface Search {
  /** Where standard input is to be stored. */
  readonly stdin: string;
  /** Ends it: a folder may be a whole disk. */
  readonly signal: AbortSignal;
}

/** In the order of the words, each file once. @throws UsageProblem for a word that leads to nothing; the signal's reason */
export async function findInputs(words: readonly string[], { stdin, signal }: Search): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const word of words) {
    if (word === '-') inputs.push({ kind: 'stdin', name: 'standard input', path: stdin });
    else for (const input of await inputsOf(word, signal)) inputs.push(input);
  }
  if (inputs.filter(({ kind }) => kind === 'stdin').length > 1)
    throw new UsageProblem('- was given twice; there is one standard input.');
  const known = new Set<string>();
  return inputs.filter((input) => {
    const key = input.kind === 'file' ? input.path : input.name;
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}

async function inputsOf(word: string, signal: AbortSignal): Promise<Input[]> {
  if (/^https?:/i.test(word)) return [{ kind: 'url', name: word, url: addressOf(word) }];
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(word)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'file')
    throw new UsageProblem(`'${word}' is no http:// or https:// address, and no file.`);
  const name = scheme === 'file' ? pathOf(word) : word;
  const facts = await stat(name).catch(() => undefined);
  if (facts?.isDirectory() === true) return inFolder(name, signal);
  if (facts !== undefined && !facts.isFile())
    throw new UsageProblem(`'${word}' is neither a file nor a folder; - reads standard input.`);
  if (facts !== undefined) return [{ kind: 'file', name, path: resolve(name), base: dirname(resolve(name)) }];
  if (isGlob(name)) return matching(name, signal);
  throw new UsageProblem(`there is no file or folder '${name}'.`);
}

function addressOf(word: string): URL {
  if (!/^https?:\/\//i.test(word) || !URL.canParse(word))
    throw new UsageProblem(`'${word}' is not a complete http:// or https:// address.`);
  return new URL(word);
}

function pathOf(word: string): string {
  try {
    return fileURLToPath(word);
  } catch {
    throw new UsageProblem(`'${word}' is no address of a file on this machine.`);
  }
}

/** Pages, and archives of them; told by their names here, since a folder holds other things besides. */
const convertible = /\.(html?|xhtml|xht|html?\.gz|zip|tar|tar\.gz|tgz|tar\.bz2|tbz2)$/i;

async function inFolder(folder: string, signal: AbortSignal): Promise<Input[]> {
  const base = resolve(folder);
  const paths = (await filesUnder(base, { signal })).filter((path) => convertible.test(path));
  if (paths.length === 0)
    throw new UsageProblem(
      `the folder '${folder}' holds no HTML file and no archive; one for the outputs is named by --out-dir.`,
    );
  return paths.map((path) => foundIn(base, folder, path));
}

async function matching(word: string, signal: AbortSignal): Promise<Input[]> {
  const { base, matches, depth } = readGlob(word);
  const folder = resolve(base);
  const paths = isFolder(folder) ? (await filesUnder(folder, { signal, depth })).filter(matches) : [];
  if (paths.length === 0) throw new UsageProblem(`no file matches '${word}'.`);
  return paths.map((path) => foundIn(folder, base, path));
}

function foundIn(base: string, shown: string, path: string): Input {
  return { kind: 'file', name: join(shown, path), path: join(base, path), base, found: true };
}

/** Folders of other people's files, which no document is made of. */
const left = new Set(['node_modules', '__MACOSX']);

interface Walk {
  readonly signal: AbortSignal;
  /** Of a pattern, as `Glob` has it: what is closed to us is passed by then, as shells do. */
  readonly depth?: number;
}

/** Regular files by their paths with slashes, sorted; nothing hidden, and no links, which may lead round in circles. */
async function filesUnder(folder: string, walk: Walk, below = ''): Promise<string[]> {
  const { signal, depth } = walk;
  signal.throwIfAborted();
  if (depth !== undefined && below.split('/').length > depth) return [];
  const entries = await entriesOf(resolve(folder, below), depth !== undefined && below !== '');
  const sorted = entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of sorted) {
    const path = below + entry.name;
    if (entry.name.startsWith('.') || left.has(entry.name)) continue;
    if (entry.isFile()) files.push(path);
    // Not as parameters of one call: of those there may be some ten thousands only.
    else if (entry.isDirectory())
      for (const file of await filesUnder(folder, walk, `${path}/`)) files.push(file);
  }
  return files;
}

async function entriesOf(folder: string, mayBeClosed: boolean) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    if (mayBeClosed) return [];
    const why = whyUnusable(cause as NodeJS.ErrnoException);
    throw new UsageProblem(`the folder '${folder}' cannot be read: ${why}.`, { cause });
  }
}
