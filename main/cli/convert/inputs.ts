/** Resolves input arguments to files, URLs and standard input; walks folders and expands patterns. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileErrorReason } from '../../failure/failure.ts';
import { UsageProblem } from '../terminal.ts';
import { isFolderPath } from './write-output.ts';

export type ItemInput =
  | {
      readonly kind: 'stdin';
      readonly name: string;
      /** Absolute path of the file to which standard input is written. */
      readonly path: string;
    }
  | { readonly kind: 'url'; readonly name: string; readonly url: URL }
  | {
      readonly kind: 'file';
      /** The name shown in messages. */
      readonly name: string;
      /** Absolute path. */
      readonly path: string;
      /** Absolute path of the folder argument, of the folder before the pattern, or of the folder that contains the named file. */
      readonly base: string;
      /** Set if the file was found in a folder or with a pattern, not named. */
      readonly isDiscovered?: true;
    };

interface Search {
  /** Path of the file to which standard input is written. */
  readonly stdin: string;
  /** Aborts the search, which takes long if a folder is a whole disk. */
  readonly signal: AbortSignal;
}

/**
 * Returns the inputs in argument order, each file once.
 * @throws UsageProblem for an argument without inputs; the signal's reason
 */
export async function findInputs(args: readonly string[], { stdin, signal }: Search): Promise<ItemInput[]> {
  const inputs: ItemInput[] = [];
  for (const arg of args) {
    if (arg === '-') inputs.push({ kind: 'stdin', name: 'standard input', path: stdin });
    else for (const input of await inputsOf(arg, signal)) inputs.push(input);
  }
  if (inputs.filter(({ kind }) => kind === 'stdin').length > 1)
    throw new UsageProblem('- may be given only once.');
  const seenKeys = new Set<string>();
  return inputs.filter((input) => {
    const key = input.kind === 'file' ? input.path : input.name;
    const isNew = !seenKeys.has(key);
    seenKeys.add(key);
    return isNew;
  });
}

async function inputsOf(arg: string, signal: AbortSignal): Promise<ItemInput[]> {
  if (/^https?:/i.test(arg)) return [{ kind: 'url', name: arg, url: parseUrl(arg) }];
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(arg)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'file')
    throw new UsageProblem(`'${arg}' is neither an http:// or https:// URL nor a file.`);
  const name = scheme === 'file' ? parseFileUrl(arg) : arg;
  const stats = await stat(name).catch(() => undefined);
  if (stats?.isDirectory() === true) return findInFolder(name, signal);
  if (stats !== undefined && !stats.isFile())
    throw new UsageProblem(`'${arg}' is neither a file nor a folder; - reads standard input.`);
  if (stats !== undefined) return [{ kind: 'file', name, path: resolve(name), base: dirname(resolve(name)) }];
  if (isGlob(name)) return findMatching(name, signal);
  throw new UsageProblem(`there is no file or folder '${name}'.`);
}

function parseUrl(arg: string): URL {
  if (!/^https?:\/\//i.test(arg) || !URL.canParse(arg))
    throw new UsageProblem(`'${arg}' is not a complete http:// or https:// URL.`);
  return new URL(arg);
}

function parseFileUrl(arg: string): string {
  try {
    return fileURLToPath(arg);
  } catch {
    throw new UsageProblem(`'${arg}' is not the URL of a local file.`);
  }
}

/**
 * Extensions of pages and archives. Files found in a folder are inputs only if their names match, because folders contain other
 * files too.
 */
const convertible = /\.(html?|xhtml|xht|html?\.gz|zip|tar|tar\.gz|tgz|tar\.bz2|tbz2)$/i;

async function findInFolder(folder: string, signal: AbortSignal): Promise<ItemInput[]> {
  const base = resolve(folder);
  const paths = (await filesUnder(base, { signal })).filter((path) => convertible.test(path));
  if (paths.length === 0)
    throw new UsageProblem(
      `the folder '${folder}' contains no HTML file or archive; to name the folder for outputs use --out-dir.`,
    );
  return paths.map((path) => discoveredInput(base, folder, path));
}

async function findMatching(pattern: string, signal: AbortSignal): Promise<ItemInput[]> {
  const { base, matches, depth } = readGlob(pattern);
  const folder = resolve(base);
  const paths = isFolderPath(folder) ? (await filesUnder(folder, { signal, depth })).filter(matches) : [];
  if (paths.length === 0) throw new UsageProblem(`no file matches '${pattern}'.`);
  return paths.map((path) => discoveredInput(folder, base, path));
}

function discoveredInput(base: string, displayFolder: string, path: string): ItemInput {
  return { kind: 'file', name: join(displayFolder, path), path: join(base, path), base, isDiscovered: true };
}

/** Folders that contain no documents. */
const skippedFolders = new Set(['node_modules', '__MACOSX']);

interface InputWalk {
  readonly signal: AbortSignal;
  /**
   * Maximum depth of a pattern's matches, as in `Glob`; absent for a folder argument. With a depth, folders that cannot be read are
   * skipped, as by shells.
   */
  readonly depth?: number;
}

/**
 * Returns the regular files below a folder as sorted relative paths with slashes. Skips hidden entries, and links, which may form
 * cycles.
 */
async function filesUnder(folder: string, walk: InputWalk, prefix = ''): Promise<string[]> {
  const { signal, depth } = walk;
  signal.throwIfAborted();
  if (depth !== undefined && prefix.split('/').length > depth) return [];
  const entries = await readEntries(resolve(folder, prefix), depth !== undefined && prefix !== '');
  const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of sorted) {
    const path = prefix + entry.name;
    if (entry.name.startsWith('.') || skippedFolders.has(entry.name)) continue;
    if (entry.isFile()) files.push(path);
    // push(...files) would throw a RangeError for very many files.
    else if (entry.isDirectory())
      for (const file of await filesUnder(folder, walk, `${path}/`)) files.push(file);
  }
  return files;
}

async function readEntries(folder: string, mayBeUnreadable: boolean) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    if (mayBeUnreadable) return [];
    const why = fileErrorReason(cause as NodeJS.ErrnoException);
    throw new UsageProblem(`the folder '${folder}' cannot be read: ${why}.`, { cause });
  }
}

// File patterns (`*`, `?`, `**`, `[a-z]`, `{one,other}`), for shells that do not expand them and for quoted arguments.
interface Glob {
  /** The folder before the first path segment that contains a pattern; empty for the current folder. */
  readonly base: string;
  /** Returns whether a path with slashes, relative to the base, matches. */
  readonly matches: (path: string) => boolean;
  /** Maximum depth of matching paths, in segments; 1 is a file in the base folder. */
  readonly depth: number;
}

export function isGlob(text: string): boolean {
  return globCharacters.test(text);
}

// eslint-disable-next-line platen/linear-pattern, regexp/no-super-linear-move, regexp/no-super-linear-backtracking -- A path that the caller of the command typed.
const globCharacters = /[*?]|\[[^\]]+\]|\{[^{}]*,[^{}]*\}/;

/** Parses a pattern. Slashes separate segments. On Windows backslashes also do, so they cannot escape characters there. */
export function readGlob(text: string): Glob {
  const path = process.platform === 'win32' ? text.replaceAll('\\', '/') : text;
  const segments = path.split('/');
  // Braces may contain a slash, as in {one/two,other}.
  const first = path.slice(0, path.search(globCharacters)).split('/').length - 1;
  const base = segments.slice(0, first).join('/');
  const glob = segments.slice(first);
  // eslint-disable-next-line platen/linear-pattern -- A pattern that the caller of the command typed.
  const pattern = new RegExp(`^${globToPattern(glob.join('/'))}$`, ignoresCase ? 'iu' : 'u');
  return {
    base: base === '' && first > 0 ? '/' : base,
    matches: (candidate) => pattern.test(candidate),
    depth: glob.some((segment) => segment.includes('**')) ? Infinity : glob.length,
  };
}

/** The default file systems of these platforms ignore the case of names. */
const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

// eslint-disable-next-line platen/linear-pattern, regexp/no-super-linear-move -- A path that the caller of the command typed. The last alternative matches any character.
const globTokens = /\*\*\/|\*\*|\*|\?|\[[^\]/]+\]|[{},]|[\s\S]/gu;

function globToPattern(glob: string): string {
  let depth = 0;
  const translated = [...glob.matchAll(globTokens)].map(([token]) => {
    if (token === '{') depth += 1;
    const isInBraces = depth > 0;
    if (token === '}' && isInBraces) depth -= 1;
    return isInBraces && token in braceTokens ? braceTokens[token] : translateToken(token);
  });
  // If a brace is not closed, the whole pattern is literal.
  return depth === 0 ? translated.join('') : Array.from(glob, escapeForPattern).join('');
}

const braceTokens: Readonly<Partial<Record<string, string>>> = { '{': '(?:', '}': ')', ',': '|' };

function translateToken(token: string): string {
  if (token === '**/') return '(?:[^/]+/)*';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (!/^\[.+\]$/u.test(token)) return escapeForPattern(token);
  const characters = token.slice(1, -1).replace(/[\\^[\]]/gu, '\\$&');
  const pattern = characters.startsWith('!') ? `[^/${characters.slice(1)}]` : `[${characters}]`;
  return isValidPattern(pattern) ? pattern : '(?!)';
}

/** Returns whether the text is a valid regular expression. A reversed range such as `[z-a]` is not, and matches nothing. */
function isValidPattern(text: string): boolean {
  try {
    // eslint-disable-next-line platen/linear-pattern -- The pattern is only parsed.
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

function escapeForPattern(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}
