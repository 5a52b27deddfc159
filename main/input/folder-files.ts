/** Serves files of a folder as a web server would: by path below the top folder, regular files only, no listing. */
import { realpath, type FileHandle } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import mime from 'mime-types';
import type { Stats } from 'node:fs';
import { yieldingToEventLoop } from '../async/yielding.ts';
import { isOutOfResources } from '../failure/failure.ts';
import { foldedName } from '../fields/normalized.ts';
import { openFile } from '../files/open-inside.ts';
import { legacyNames } from './archive/legacy-names.ts';
import { similarNames } from './archive/similar-names.ts';
import type { UnpackedArchive } from './archive/tree.ts';
import { contentTypeOf } from './html-text.ts';
import type { Files, StoredFile } from './source.ts';

export interface FolderReadOptions {
  /** The character set of HTML files that declare none. */
  readonly fallback?: string | undefined;
  /** Called if a file exists but cannot be read because the machine is out of file descriptors or similar resources. */
  readonly onOutOfResources?: (problem: unknown) => void;
  /** Whether hard links, and links that stay in the folder, are served too. Absent for unpacked archives, which have no links. */
  readonly allowsLinks?: true;
}

export interface ArchiveReadOptions extends FolderReadOptions {
  /** Called for a file that was found by its name in an undeclared encoding. */
  readonly onLegacyName?: (name: string, encoding: string) => void;
  /** Called for a name that the archive lacks, if it has files with similar names. */
  readonly onSimilarNames?: (name: string, similar: readonly string[]) => void;
}

/** Returns a function that serves the files of an unpacked archive. */
export function folderFiles(archive: UnpackedArchive, options: ArchiveReadOptions = {}): Files {
  const { root, entries } = archive;
  const openFile = insideOf(root, options);
  const findLegacyName = legacyNames(archive);
  const findSimilarNames = similarNames(entries);
  let entriesByFoldedName: Promise<ReadonlyMap<string, string>> | undefined;
  const exact = new Set(entries.map(keyOf));
  return async (path) => {
    const name = decodePath(path);
    // In archives from Windows and macOS, a file name may differ from the links to the file in case or Unicode normalisation.
    if (exact.has(keyOf(name))) return openFile(name);
    if (name.length > maxFoldedLength) return undefined;
    entriesByFoldedName ??= mapByFoldedName(entries);
    const entry = (await entriesByFoldedName).get(keyOf(foldedName(name)));
    if (entry !== undefined) return openFile(entry);
    const legacy = await findLegacyName(name);
    if (legacy === undefined) {
      const similar = await findSimilarNames(name);
      if (similar.length > 0) options.onSimilarNames?.(name, similar);
      return undefined;
    }
    options.onLegacyName?.(name, legacy.encoding);
    return openFile(legacy.entry);
  };
}

/** In characters. A page may request an address of 2 MB, and names of this length are hardly ever misspelled. */
const maxFoldedLength = 1000;

/**
 * Returns the key of a name in a large map. V8 hashes a text of digits without a secret, so names could be chosen to collide, and each
 * access would take linear time.
 */
function keyOf(name: string): string {
  return `/${name}`;
}

async function mapByFoldedName(entries: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const map = new Map<string, string>();
  for await (const entry of yieldingToEventLoop(entries)) map.set(keyOf(foldedName(entry)), entry);
  return map;
}

/**
 * Decodes percent-encoding and merges consecutive slashes into one, as web servers (nginx: merge_slashes) and file systems do.
 * Returns a path with invalid encoding unchanged.
 */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll(/(?<=[^/])\/+/g, '/');
  } catch {
    return path;
  }
}

interface ReadOptions extends FolderReadOptions {
  readonly onError: (problem: unknown) => void;
}

/**
 * Returns a function that opens a regular file below `root`, by path with slashes. It resolves to undefined for anything else, and
 * for a file that cannot be opened.
 */
export function insideOf(
  root: string,
  options: FolderReadOptions,
): (path: string) => Promise<StoredFile | undefined> {
  const onError = (problem: unknown): undefined => {
    if (isOutOfResources(problem)) options.onOutOfResources?.(problem);
  };
  let realRoot: Promise<string> | undefined;
  return (path) => {
    realRoot ??= realpath(root);
    return realRoot.then((top) => openEntry(top, path, { ...options, onError })).catch(onError);
  };
}

async function openEntry(root: string, entry: string, options: ReadOptions): Promise<StoredFile | undefined> {
  const followsLinks = options.allowsLinks === true;
  const { file, stats } = await openFile(root, join(...entry.split('/')), { followsLinks });
  let isKept = false;
  try {
    // Unpacking creates no hard links, so a hard link was created later and may lead to a file outside the archive.
    if (stats.nlink > 1 && !followsLinks) return undefined;
    const stored = await readStoredFile(file, entry, { ...options, stats });
    isKept = stored.body instanceof Readable;
    return stored;
  } finally {
    if (!isKept) await file.close();
  }
}

/** Up to this size in bytes, a file is read as a whole, which takes a third of the processor time of a stream. */
const smallBytes = 1_000_000;

async function readStoredFile(
  file: FileHandle,
  entry: string,
  { fallback, onError, stats }: ReadOptions & { readonly stats: Stats },
): Promise<StoredFile> {
  const type = mime.lookup(extname(entry)) || 'application/octet-stream';
  const typeFrom = (head: Buffer) =>
    type === 'text/html' ? contentTypeOf(wholeCharacters(head), fallback) : type;
  if (stats.size <= smallBytes) {
    const body = await readStart(file, stats.size);
    return { contentType: typeFrom(body.subarray(0, headBytes)), size: body.length, body };
  }
  const head = type === 'text/html' ? await readStart(file, headBytes) : Buffer.alloc(0);
  const body = file.createReadStream({ start: 0 }).on('error', onError);
  return { contentType: typeFrom(head), size: stats.size, body };
}

/** Enough to find a declaration of the character set. */
const headBytes = 65_536;

/** Reads up to this number of bytes from the start of the file. */
async function readStart(file: FileHandle, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, 0);
  return buffer.subarray(0, bytesRead);
}

/** Removes an incomplete UTF-8 character at the end of the head of a file. */
function wholeCharacters(head: Buffer): Buffer {
  if (head.length < headBytes) return head;
  const start = head.findLastIndex((byte) => (byte & 0xc0) !== 0x80);
  const isMultibyte = (head[start] ?? 0) >= 0xc0;
  return isMultibyte ? head.subarray(0, start) : head;
}
