/**
 * The files of an unpacked archive, as a web server would give them: by path below the archive's own top folder, regular
 * files only, no listing. It knows no window.
 */
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import mime from 'mime-types';
import { contentTypeOf } from './charset.ts';
import type { Files, StoredFile } from './source.ts';

/**
 * `entries` are the archive's files, with slashes, relative to `root`; `fallback` is the character set of those that
 * declare none.
 */
export function folderFiles(root: string, entries: readonly string[], fallback?: string): Files {
  const folded = new Map(entries.map((entry) => [foldedName(entry), entry]));
  const exact = new Set(entries);
  return async (path) => {
    const wanted = decoded(path);
    // Archives from Windows and macOS may spell names otherwise than their pages do: in case, or in composed letters.
    const entry = exact.has(wanted) ? wanted : folded.get(foldedName(wanted));
    return entry === undefined ? undefined : openEntry(root, entry, fallback);
  };
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

async function openEntry(root: string, entry: string, fallback?: string): Promise<StoredFile | undefined> {
  const path = join(root, ...entry.split('/'));
  // A link made after unpacking must not lead out.
  const real = await realpath(path).catch(() => '');
  if (!real.startsWith((await realpath(root)) + sep)) return undefined;
  const file = await open(real).catch(() => undefined);
  return file && describe(file, entry, fallback);
}

async function describe(file: FileHandle, entry: string, fallback?: string): Promise<StoredFile | undefined> {
  const facts = await file.stat();
  // Unpacking makes no hard links: who made one afterwards means a file of somewhere else.
  if (!facts.isFile() || facts.nlink > 1) {
    await file.close();
    return undefined;
  }
  const type = mime.lookup(extname(entry)) || 'application/octet-stream';
  const contentType = type === 'text/html' ? contentTypeOf(await head(file), fallback) : type;
  return {
    contentType,
    size: facts.size,
    stream: Readable.toWeb(file.createReadStream({ start: 0 })) as ReadableStream,
  };
}

/** Enough to find a declaration of the character set. */
async function head(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
  return buffer.subarray(0, bytesRead);
}
