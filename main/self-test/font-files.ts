/** Reads the font files in a folder, with the names of each file's first face from the font's `name` table (OpenType 1.9.1). */
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

export interface FontFile {
  readonly path: string;
  /** The family name for style sheets; undefined for a file that is not a usable font. */
  readonly family?: string;
  /** The PostScript name, which is unique to the face; undefined for a file that is not a usable font. */
  readonly postScriptName?: string;
}

/**
 * Returns the font files in the folder and its subfolders, sorted by path, at most `maxFiles`. Returns none for a missing folder.
 */
export async function fontFiles(folder: string, maxFiles: number): Promise<readonly FontFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile() && fontExtension.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return await Promise.all(paths.slice(0, maxFiles).map(fontFile));
}

/** Includes web fonts, which fontconfig does not support, so that the report can name them. */
const fontExtension = /\.(ttf|otf|ttc|otc|woff2?|eot|pf[ab])$/i;

async function fontFile(path: string): Promise<FontFile> {
  try {
    await using file = await openFile(path);
    const names = await namesOf(file.handle);
    const family = names.get(preferredFamily) ?? names.get(plainFamily);
    const postScriptName = names.get(postScript);
    return { path, ...(family !== undefined && postScriptName !== undefined && { family, postScriptName }) };
  } catch {
    return { path };
  }
}

async function openFile(path: string): Promise<{ readonly handle: FileHandle } & AsyncDisposable> {
  const handle = await open(path);
  return { handle, [Symbol.asyncDispose]: () => handle.close() };
}

// Ids of names in the `name` table.
const plainFamily = 1;
const postScript = 6;
const preferredFamily = 16;

/** Returns the names in the font file by id. @throws Error if the file is not a font */
async function namesOf(file: FileHandle): Promise<ReadonlyMap<number, string>> {
  const start = await firstFace(file);
  const tables = (await bytes(file, start + 4, 2)).readUInt16BE();
  const directory = await bytes(file, start + 12, tables * 16);
  for (let at = 0; at < directory.length; at += 16) {
    if (directory.toString('latin1', at, at + 4) !== 'name') continue;
    const offset = directory.readUInt32BE(at + 8);
    const length = directory.readUInt32BE(at + 12);
    return namesIn(await bytes(file, offset, Math.min(length, maxTableBytes)));
  }
  throw new Error('the font has no name table');
}

/** Limits the memory for a damaged file. The `name` table of a real font has a few thousand bytes. */
const maxTableBytes = 1_000_000;

/** Returns the offset of the first face. A font collection starts with the offsets of its faces. */
async function firstFace(file: FileHandle): Promise<number> {
  const head = await bytes(file, 0, 16);
  const kind = head.toString('latin1', 0, 4);
  if (kind === 'ttcf') return head.readUInt32BE(12);
  if (['\0\x01\0\0', 'OTTO', 'true'].includes(kind)) return 0;
  throw new Error('the file is not a TrueType or OpenType font');
}

async function bytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new Error('the file is truncated');
  return buffer;
}

/** Returns the Windows names (UTF-16) in the table by id: the English name (0x409) if there is one, otherwise the first. */
function namesIn(table: Buffer): Map<number, string> {
  const count = table.readUInt16BE(2);
  const texts = table.readUInt16BE(4);
  const names = new Map<number, string>();
  for (let at = 6; at < 6 + count * 12; at += 12) {
    const [platform = 0, , language, name = 0, length = 0, offset = 0] = fields(table, at);
    if (platform !== 3 || (names.has(name) && language !== 0x409)) continue;
    const text = Buffer.from(table.subarray(texts + offset, texts + offset + length));
    names.set(name, text.swap16().toString('utf16le'));
  }
  return names;
}

function fields(table: Buffer, at: number): number[] {
  return [0, 2, 4, 6, 8, 10].map((field) => table.readUInt16BE(at + field));
}
