/**
 * The files of an unpacked archive, as a web server would give them: by path below the archive's own top folder, regular
 * files only, no listing. It knows no window.
 */
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import mime from 'mime-types';
import { hasNoRoom } from '../failure/no-room.ts';
import type { Extracted } from './archive/extracted.ts';
import { contentTypeOf } from './charset.ts';
import type { Files, StoredFile } from './source.ts';

interface Reading {
  /** The character set of those that declare none. */
  readonly fallback?: string | undefined;
  /** Told of a file that is there and cannot be read, because the machine has no room for it or no descriptor. */
  readonly onNoRoom?: (problem: unknown) => void;
}

/** `entries` are the archive's files, with slashes, relative to `root`. */
export function folderFiles({ root, entries }: Extracted, reading: Reading = {}): Files {
  const folded = new Map(entries.map((entry) => [foldedName(entry), entry]));
  const exact = new Set(entries);
  const tell = (problem: unknown): undefined => {
    if (hasNoRoom(problem)) reading.onNoRoom?.(problem);
  };
  return async (path) => {
    const wanted = decoded(path);
    // Archives from Windows and macOS may spell names otherwise than their pages do: in case, or in composed letters.
    const entry = exact.has(wanted) ? wanted : folded.get(foldedName(wanted));
    if (entry === undefined) return undefined;
    return openEntry(root, entry, { ...reading, tell }).catch(tell);
  };
}

interface Telling extends Reading {
  readonly tell: (problem: unknown) => void;
}

function foldedName(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Only what the archive held is found, so no spelling of a path can lead elsewhere; a broken one finds nothing. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function openEntry(root: string, entry: string, reading: Telling): Promise<StoredFile | undefined> {
  const path = join(root, ...entry.split('/'));
  // A link made after unpacking must not lead out.
  const real = await realpath(path);
  if (!real.startsWith((await realpath(root)) + sep)) return undefined;
  const file = await open(real);
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
  { fallback, tell }: Telling,
): Promise<StoredFile | undefined> {
  const facts = await file.stat();
  // Unpacking makes no hard links: who made one afterwards means a file of somewhere else.
  if (!facts.isFile() || facts.nlink > 1) return undefined;
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
