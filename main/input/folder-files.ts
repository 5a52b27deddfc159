/**
 * The files of an unpacked archive, as a web server would give them: by path below the archive's own top folder, regular
 * files only, no listing. It knows no window.
 */
import { constants, open, realpath, type FileHandle } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import mime from 'mime-types';
import { hasNoRoom } from '../failure/no-room.ts';
import type { Extracted } from './archive/extracted.ts';
import { contentTypeOf } from './charset.ts';
import type { Files, StoredFile } from './source.ts';

export interface Reading {
  /** The character set of those that declare none. */
  readonly fallback?: string | undefined;
  /** Told of a file that is there and cannot be read, because the machine has no room for it or no descriptor. */
  readonly onNoRoom?: (problem: unknown) => void;
  /** Takes files of several names; absent: no. */
  readonly hardLinks?: true;
}

/** `entries` are the archive's files, with slashes, relative to `root`. */
export function folderFiles({ root, entries }: Extracted, reading: Reading = {}): Files {
  const folded = new Map(entries.map((entry) => [foldedName(entry), entry]));
  const exact = new Set(entries);
  return async (path) => {
    const wanted = decoded(path);
    // Archives from Windows and macOS may spell names otherwise than their pages do: in case, or in composed letters.
    const entry = exact.has(wanted) ? wanted : folded.get(foldedName(wanted));
    if (entry === undefined) return undefined;
    return openInside(root, entry, reading);
  };
}

function foldedName(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * Only what the archive held is found, so no spelling of a path can lead elsewhere; a broken one finds nothing. Several slashes
 * within it are one, as with web servers (nginx: merge_slashes) and in file systems.
 */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll(/(?<=[^/])\/+/g, '/');
  } catch {
    return path;
  }
}

interface Telling extends Reading {
  readonly tell: (problem: unknown) => void;
}

/** A regular file at or below `root`, by its path with slashes; undefined for all else, and what cannot be read. */
export function openInside(root: string, path: string, reading: Reading): Promise<StoredFile | undefined> {
  const tell = (problem: unknown): undefined => {
    if (hasNoRoom(problem)) reading.onNoRoom?.(problem);
  };
  return openEntry(root, path, { ...reading, tell }).catch(tell);
}

async function openEntry(root: string, entry: string, reading: Telling): Promise<StoredFile | undefined> {
  const path = join(root, ...entry.split('/'));
  // A link made after unpacking must not lead out.
  const real = await realpath(path);
  if (!real.startsWith((await realpath(root)) + sep)) return undefined;
  // A named pipe would be waited for, and a thread of few with it. Windows knows neither.
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
  const described = await describe(file, entry, reading).catch(async (problem: unknown) => {
    await file.close();
    throw problem;
  });
  if (described === undefined) await file.close();
  return described;
}

async function describe(
  file: FileHandle,
  entry: string,
  { fallback, tell, hardLinks }: Telling,
): Promise<StoredFile | undefined> {
  const facts = await file.stat();
  // Unpacking makes no hard links: who made one afterwards means a file of somewhere else.
  if (!facts.isFile() || (facts.nlink > 1 && hardLinks !== true)) return undefined;
  const type = mime.lookup(extname(entry)) || 'application/octet-stream';
  const contentType = type === 'text/html' ? contentTypeOf(await head(file), fallback) : type;
  const bytes = file.createReadStream({ start: 0 }).on('error', tell);
  return { contentType, size: facts.size, stream: Readable.toWeb(bytes) as ReadableStream };
}

/** Enough to find a declaration of the character set. */
async function head(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
  return buffer.subarray(0, bytesRead);
}
