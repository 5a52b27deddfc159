/** Resolves input arguments to files, URLs and standard input; walks folders and expands patterns. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileErrorReason } from '../../failure/no-room.ts';
import { UsageProblem } from '../terminal.ts';
import { isFolder } from './place.ts';

export type Input =
  | {
      readonly kind: 'stdin';
      readonly name: string;
      /** Absolute path where it will be stored. */
      readonly path: string;
    }
  | { readonly kind: 'url'; readonly name: string; readonly url: URL }
  | {
      readonly kind: 'file';
      /** Name for messages. */
      readonly name: string;
      /** Absolute path. */
      readonly path: string;
      /** Absolute path of the given folder, of the start of the pattern, or of the file's own folder. */
      readonly base: string;
      /** Found in a folder or by a pattern instead of being named. */
      readonly isDiscovered?: true;
    };

interface Search {
  /** Path where standard input will be stored. */
  readonly stdin: string;
  /** Aborts the search: a folder may be a whole disk. */
  readonly signal: AbortSignal;
}

/**
 * Returns the inputs in argument order, each file once.
 * @throws UsageProblem for an argument without inputs; the signal's reason
 */
export async function findInputs(words: readonly string[], { stdin, signal }: Search): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const word of words) {
    if (word === '-') inputs.push({ kind: 'stdin', name: 'standard input', path: stdin });
    else for (const input of await inputsOf(word, signal)) inputs.push(input);
  }
  if (inputs.filter(({ kind }) => kind === 'stdin').length > 1)
    throw new UsageProblem('- may be given only once.');
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
    throw new UsageProblem(`'${word}' is neither an http:// or https:// URL nor a file.`);
  const name = scheme === 'file' ? pathOf(word) : word;
  const facts = await stat(name).catch(() => undefined);
  if (facts?.isDirectory() === true) return findInFolder(name, signal);
  if (facts !== undefined && !facts.isFile())
    throw new UsageProblem(`'${word}' is neither a file nor a folder; - reads standard input.`);
  if (facts !== undefined) return [{ kind: 'file', name, path: resolve(name), base: dirname(resolve(name)) }];
  if (isGlob(name)) return findMatching(name, signal);
  throw new UsageProblem(`there is no file or folder '${name}'.`);
}

function addressOf(word: string): URL {
  if (!/^https?:\/\//i.test(word) || !URL.canParse(word))
    throw new UsageProblem(`'${word}' is not a complete http:// or https:// URL.`);
  return new URL(word);
}

function pathOf(word: string): string {
  try {
    return fileURLToPath(word);
  } catch {
    throw new UsageProblem(`'${word}' is not the URL of a local file.`);
  }
}

/** Extensions of pages and archives. Folders also contain other files, so names decide. */
const convertible = /\.(html?|xhtml|xht|html?\.gz|zip|tar|tar\.gz|tgz|tar\.bz2|tbz2)$/i;

async function findInFolder(folder: string, signal: AbortSignal): Promise<Input[]> {
  const base = resolve(folder);
  const paths = (await filesUnder(base, { signal })).filter((path) => convertible.test(path));
  if (paths.length === 0)
    throw new UsageProblem(
      `the folder '${folder}' contains no HTML file or archive; to name the folder for outputs use --out-dir.`,
    );
  return paths.map((path) => discoveredInput(base, folder, path));
}

async function findMatching(word: string, signal: AbortSignal): Promise<Input[]> {
  const { base, matches, depth } = readGlob(word);
  const folder = resolve(base);
  const paths = isFolder(folder) ? (await filesUnder(folder, { signal, depth })).filter(matches) : [];
  if (paths.length === 0) throw new UsageProblem(`no file matches '${word}'.`);
  return paths.map((path) => discoveredInput(folder, base, path));
}

function discoveredInput(base: string, shown: string, path: string): Input {
  return { kind: 'file', name: join(shown, path), path: join(base, path), base, isDiscovered: true };
}

/** Folders that contain no documents. */
const skippedFolders = new Set(['node_modules', '__MACOSX']);

interface Walk {
  readonly signal: AbortSignal;
  /** Depth of a pattern, as in `Glob`. Unreadable folders are then skipped, as shells do. */
  readonly depth?: number;
}

/** Returns regular files as sorted paths with slashes. Skips hidden entries, and links, which may form cycles. */
async function filesUnder(folder: string, walk: Walk, below = ''): Promise<string[]> {
  const { signal, depth } = walk;
  signal.throwIfAborted();
  if (depth !== undefined && below.split('/').length > depth) return [];
  const entries = await entriesOf(resolve(folder, below), depth !== undefined && below !== '');
  const sorted = entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of sorted) {
    const path = below + entry.name;
    if (entry.name.startsWith('.') || skippedFolders.has(entry.name)) continue;
    if (entry.isFile()) files.push(path);
    // Not push(...files): a call takes only some ten thousand arguments.
    else if (entry.isDirectory())
      for (const file of await filesUnder(folder, walk, `${path}/`)) files.push(file);
  }
  return files;
}

async function entriesOf(folder: string, mayBeUnreadable: boolean) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    if (mayBeUnreadable) return [];
    const why = fileErrorReason(cause as NodeJS.ErrnoException);
    throw new UsageProblem(`the folder '${folder}' cannot be read: ${why}.`, { cause });
  }
}

// File patterns, for shells that do not expand them and for quoted ones: `*`, `?`, `**`, `[a-z]` and `{one,other}`.
interface Glob {
  /** The folder before the first segment with a pattern; empty for the current folder. */
  readonly base: string;
  /** Returns whether a path with slashes, relative to the base, matches. */
  readonly matches: (path: string) => boolean;
  /** Maximum folder depth of matches; 1 is the base itself. */
  readonly depth: number;
}

export function isGlob(word: string): boolean {
  return globCharacters.test(word);
}

const globCharacters = /[*?]|\[[^\]]+\]|\{[^{}]*,[^{}]*\}/;

/** Slashes separate segments; on Windows backslashes do too, so nothing can be escaped. */
export function readGlob(word: string): Glob {
  const path = process.platform === 'win32' ? word.replaceAll('\\', '/') : word;
  const segments = path.split('/');
  // Braces may contain a slash: {one/two,other}.
  const first = path.slice(0, path.search(globCharacters)).split('/').length - 1;
  const base = segments.slice(0, first).join('/');
  const glob = segments.slice(first);
  const pattern = new RegExp(`^${patternOf(glob.join('/'))}$`, isCaseless ? 'iu' : 'u');
  return {
    base: base === '' && first > 0 ? '/' : base,
    matches: (found) => pattern.test(found),
    depth: glob.some((segment) => segment.includes('**')) ? Infinity : glob.length,
  };
}

/** As their file systems compare names. */
const isCaseless = process.platform === 'win32' || process.platform === 'darwin';

const parts = /\*\*\/|\*\*|\*|\?|\[[^\]/]+\]|[{},]|[\s\S]/gu;

function patternOf(glob: string): string {
  let depth = 0;
  const translated = [...glob.matchAll(parts)].map(([part]) => {
    if (part === '{') depth += 1;
    const isOfBraces = depth > 0;
    if (part === '}' && isOfBraces) depth -= 1;
    return isOfBraces && part in ofBraces ? ofBraces[part] : translate(part);
  });
  // A brace that is not closed means itself.
  return depth === 0 ? translated.join('') : Array.from(glob, escaped).join('');
}

const ofBraces: Readonly<Partial<Record<string, string>>> = { '{': '(?:', '}': ')', ',': '|' };

function translate(part: string): string {
  if (part === '**/') return '(?:[^/]+/)*';
  if (part === '**') return '.*';
  if (part === '*') return '[^/]*';
  if (part === '?') return '[^/]';
  if (!/^\[.+\]$/u.test(part)) return escaped(part);
  const set = part.slice(1, -1).replace(/[\\^[\]]/gu, '\\$&');
  const pattern = set.startsWith('!') ? `[^/${set.slice(1)}]` : `[${set}]`;
  return isPattern(pattern) ? pattern : '(?!)';
}

/** A reversed range such as `[z-a]` matches nothing. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}
