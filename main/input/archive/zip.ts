/** Unpacks zip archives. adm-zip reads the directory; this file decompresses, so that it can stop a zip bomb while unpacking. */
import { readFileSync } from 'node:fs';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import AdmZip from 'adm-zip';
import { isAscii, isUtf8 } from 'node:buffer';
import { windows1252Text } from '../bytes.ts';
import { tooManyEntries, refusal, quotedName, type ArchiveLimits, type Meter } from './limits.ts';
import type { Tree } from './tree.ts';

interface ZipTask {
  readonly path: string;
  readonly limits: ArchiveLimits;
  readonly meter: Meter;
  readonly tree: Tree;
}

/** @throws Failure archiveUnusable */
export async function unpackZip({ path, limits, meter, tree }: ZipTask): Promise<void> {
  const zip = readFileSync(path);
  const end = readZipEnd(zip);
  const entries = readDirectory(zip, end, limits).map((entry) => {
    meter.countEntry();
    return readZipEntry(zip, entry);
  });
  refuseOverlaps(entries, end);
  for (const entry of entries) {
    if (entry.isFolder) tree.addFolder(entry.name);
    else await unpackFile(entry, { meter, tree });
  }
}

/** Refuses overlapping entries, which can form a zip bomb without nesting (Fifield, 2019). @throws Failure archiveUnusable */
function refuseOverlaps(entries: readonly ZipEntry[], { directory }: ZipEnd): void {
  const sorted = [...entries].sort((left, right) => left.start - right.start);
  sorted.forEach(({ name, end }, index) => {
    if (end > (sorted[index + 1]?.start ?? directory.start)) {
      throw refusal(
        `The zip archive's entry ${quotedName(name)} overlaps another entry; pack the files again.`,
      );
    }
  });
}

async function unpackFile(entry: ZipEntry, { meter, tree }: Pick<ZipTask, 'meter' | 'tree'>): Promise<void> {
  const file = tree.addFile(entry.name, entry.rawName);
  let size = 0;
  let crc = 0;
  for await (const chunk of inflateEntry(entry)) {
    meter.add(chunk.length);
    size += chunk.length;
    if (size > entry.size) throw damaged(entry, 'is larger than it declares');
    crc = crc32(chunk, crc);
    file.write(chunk);
  }
  file.end();
  if (size < entry.size) throw damaged(entry, 'is smaller than it declares');
  if (crc !== entry.crc) throw damaged(entry, 'is damaged: its checksum is wrong');
}

/**
 * Yields the decompressed bytes of an entry in chunks, so that the caller can stop at a limit. Does not use adm-zip, which inflates
 * an entry in one piece, whatever size the entry declares.
 * @throws Failure archiveUnusable
 */
async function* inflateEntry(entry: ZipEntry): AsyncGenerator<Buffer> {
  if (!entry.deflated) {
    yield entry.bytes;
    return;
  }
  try {
    if (entry.size <= smallSize) yield inflateSmall(entry);
    else yield* inflateLarge(entry);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ERR_BUFFER_TOO_LARGE') throw damaged(entry, 'is larger than it declares', error);
    if (!code.startsWith('Z_')) throw error;
    throw damaged(entry, 'is damaged: it cannot be decompressed', error);
  }
}

/** Entries up to this size, in bytes, are inflated in one piece: streams for thousands of small files take seconds. */
const smallSize = 1_000_000;

function inflateSmall(entry: ZipEntry): Buffer {
  const options = { maxOutputLength: entry.size + 1, info: true };
  // With `info`, the result has a different type than declared.
  const { buffer, engine } = inflateRawSync(entry.bytes, options) as unknown as {
    buffer: Buffer;
    engine: { bytesWritten: number };
  };
  refuseTrailingBytes(entry, engine.bytesWritten);
  return buffer;
}

async function* inflateLarge(entry: ZipEntry): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 65_536 });
  inflate.end(entry.bytes);
  for await (const chunk of inflate) yield chunk as Buffer;
  refuseTrailingBytes(entry, inflate.bytesWritten);
}

function refuseTrailingBytes(entry: ZipEntry, usedBytes: number): void {
  if (usedBytes !== entry.bytes.length) throw damaged(entry, 'is followed by unused bytes');
}

export function damaged({ name }: ZipEntry, problem: string, cause?: unknown): Error {
  return refusal(`The zip archive's entry ${quotedName(name)} ${problem}; pack the files again.`, cause);
}

/** Returns the entries of the directory, in the archive's order. @throws Failure archiveUnusable */
function readDirectory(zip: Buffer, end: ZipEnd, limits: ArchiveLimits): AdmZip.IZipEntry[] {
  const decoder = rawDecoder(limits);
  try {
    const archive = new AdmZip(zip, { noSort: true, decoder });
    if (archive.getEntryCount() > limits.entries) throw tooManyEntries(limits);
    return checkDirectorySize(archive.getEntries(), end);
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'Failure') throw error;
    const duplicate = /^[^"]*Duplicate entry name "(.*)"/s.exec(error.message)?.[1];
    if (duplicate !== undefined) throw duplicateEntry(duplicate);
    throw refusal('The zip archive is damaged: its directory cannot be read; pack the files again.', error);
  }
}

/** @param latin1Name The raw bytes of the name, as `rawDecoder` returns them. */
function duplicateEntry(latin1Name: string): Error {
  const name = Buffer.from(latin1Name, 'latin1').toString('utf8');
  return refusal(`The zip archive has the entry ${quotedName(name)} twice; pack the files again.`);
}

/** Returns the entries. Refuses a directory that contains more than the declared number: other programs would read more entries. */
function checkDirectorySize(entries: AdmZip.IZipEntry[], { directory }: ZipEnd): AdmZip.IZipEntry[] {
  const size = entries.reduce((sum, { header }) => sum + header.centralHeaderSize, 0);
  if (size === directory.end - directory.start) return entries;
  throw refusal(
    'The zip archive is damaged: its directory has a different length than its end record says; pack the files again.',
  );
}

/**
 * Returns a decoder that reads names as Latin-1: adm-zip uses decoded names as keys, so different bytes must result in different
 * names. Also limits the length of names: adm-zip needs quadratic time for the folders in a name, seconds for 65,535 slashes.
 */
function rawDecoder({ depth, nameBytes }: ArchiveLimits): AdmZip.ZipTextDecoder {
  return {
    encode: (name) => Buffer.from(name, 'latin1'),
    decode(bytes) {
      const name = Buffer.from(bytes).toString('latin1');
      if (name.length <= (depth + 1) * (nameBytes + 1)) return name;
      throw refusal(`The zip archive's entry ${quotedName(name)} has a name that is too long; shorten it.`);
    },
  };
}

/** The end record of a zip. adm-zip neither checks nor exposes this record, so readZipEnd checks it first. */
interface ZipEnd {
  /** Offsets of the central directory in the file, in bytes. */
  readonly directory: { readonly start: number; readonly end: number };
}

const endSize = 22;
const locatorSize = 20;

/**
 * Finds the last end record, as adm-zip does, and checks it.
 * @throws Failure archiveUnusable for truncated, multi-volume or inconsistent archives.
 */
function readZipEnd(zip: Buffer): ZipEnd {
  const endOffset = zip.lastIndexOf('PK\x05\x06', -endSize, 'latin1');
  if (
    endOffset < 0 ||
    endOffset < zip.length - endSize - 0xffff ||
    endOffset + endSize + zip.readUInt16LE(endOffset + 20) > zip.length
  ) {
    throw refusal('The zip archive is truncated or damaged: its end record is missing; send it again.');
  }
  const [disk, startDisk, entriesOnDisk, allEntries] = [4, 6, 8, 10].map((field) =>
    zip.readUInt16LE(endOffset + field),
  );
  if (disk !== 0 || startDisk !== 0 || entriesOnDisk !== allEntries) {
    throw refusal('The zip archive is one of several volumes; send a single archive.');
  }
  refuseZip64(zip, endOffset);
  const size = zip.readUInt32LE(endOffset + 12);
  const start = zip.readUInt32LE(endOffset + 16);
  if (start + size !== endOffset) {
    throw refusal(
      'The zip archive is damaged: its directory is not where its end record says; pack the files again.',
    );
  }
  return { directory: { start, end: endOffset } };
}

/** Refuses zip64, which only archives beyond the limits need and which could hide a second, different end record. */
function refuseZip64(zip: Buffer, endOffset: number): void {
  const hasLocator =
    endOffset >= locatorSize &&
    zip.toString('latin1', endOffset - locatorSize, endOffset - 16) === 'PK\x06\x07';
  const hasPlaceholder =
    zip.readUInt16LE(endOffset + 10) === 0xffff || zip.readUInt32LE(endOffset + 16) === 0xffffffff;
  if (!hasLocator && !hasPlaceholder) return;
  throw refusal(
    'The zip archive is in zip64 format, which is for larger archives; pack the files as a plain zip.',
  );
}

interface DecodedName {
  readonly name: string;
  /** The bytes of the name as Latin-1, if `name` is a guess (legacy-names.ts). */
  readonly rawName?: string;
}

/** An entry of a zip, checked against its local header. */
interface ZipEntry extends DecodedName {
  readonly isFolder: boolean;
  readonly deflated: boolean;
  /** The declared size in bytes, to be compared with the decompressed size. */
  readonly size: number;
  readonly crc: number;
  /** As stored in the archive: compressed if `deflated`. */
  readonly bytes: Buffer;
  /** Offset of the local header in the archive. */
  readonly start: number;
  /** Offset of the first byte after `bytes` in the archive. */
  readonly end: number;
}

/**
 * Reads an entry and checks it against its local header.
 * @param entry The entry that adm-zip found in the directory.
 * @throws Failure archiveUnusable for anything but a plain file or folder, stored or deflated, with matching headers.
 */
function readZipEntry(zip: Buffer, entry: AdmZip.IZipEntry): ZipEntry {
  const { header } = entry;
  const { flags, made: versionMadeBy, offset, method, size, crc } = header;
  const decoded = decodeZipName({ bytes: entry.rawEntryName, flags, versionMadeBy, extra: entry.extra });
  const { name } = decoded;
  const refuse = (reason: string): Error => refusal(`The zip archive's entry ${quotedName(name)} ${reason}.`);
  const problem = typeProblem(entry) ?? localProblem(zip, entry);
  if (problem !== undefined) throw refuse(problem);
  const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
  const end = start + header.compressedSize;
  if (end > zip.length) throw refuse('is beyond the end of the archive; send the whole archive');
  const isFolder = /[\\/]$/.test(name) || (header.attr >>> 28 === folderType && size === 0);
  if (isFolder && size > 0) throw refuse('is a folder with data; pack the files again');
  const bytes = zip.subarray(start, end);
  return { ...decoded, isFolder, deflated: method === 8, size, crc, bytes, start: offset, end };
}

/** Returns the bytes of a name as Latin-1, with slashes. In Japanese and Chinese names, a backslash may be part of a character. */
function rawPath(bytes: Buffer): string {
  const raw = bytes.toString('latin1');
  return raw.includes('/') ? raw : raw.replaceAll('\\', '/');
}

const folderType = 0o04;
const fileType = 0o10;

/**
 * Checks the Unix file type in the upper bits of the attributes (0 if absent), the encryption and the compression. Returns what is
 * wrong and what to change, or undefined.
 */
function typeProblem({ header }: AdmZip.IZipEntry): string | undefined {
  const type = header.attr >>> 28;
  if (type === 0o12) return 'is a link; pack the target of the link instead';
  if (type !== 0 && type !== folderType && type !== fileType) {
    return 'is neither a file nor a folder; leave it out';
  }
  // Flags of traditional, strong and central directory encryption.
  if ((header.flags & 0x2041) !== 0 || header.method === 99) {
    return 'is encrypted; pack the files without a password';
  }
  if (header.method !== 0 && header.method !== 8) {
    return `is compressed by method ${header.method}; pack the files with deflate, the usual method`;
  }
  return undefined;
}

/** The value of a size that is stored in the zip64 field instead. A larger size, or this value without such a field, is invalid. */
const zip64Placeholder = 0xffffffff;

/** Compares an entry of the directory with its local header. Returns what is wrong and what to change, or undefined. */
function localProblem(zip: Buffer, entry: AdmZip.IZipEntry): string | undefined {
  const { offset, flags, method, size, crc, compressedSize, diskNumStart } = entry.header;
  if (diskNumStart !== 0) return 'is in another volume; send a single archive';
  if (Math.max(size, compressedSize, offset) >= zip64Placeholder)
    return 'declares an impossible size; pack it again';
  if (offset + 30 > zip.length || zip.readUInt32LE(offset) !== 0x04034b50) {
    return 'is not where the directory says; pack the files again';
  }
  const name = zip.subarray(offset + 30, offset + 30 + zip.readUInt16LE(offset + 26));
  const hasDataDescriptor = (zip.readUInt16LE(offset + 6) & 8) !== 0;
  const matches =
    name.equals(entry.rawEntryName) &&
    zip.readUInt16LE(offset + 8) === method &&
    ((zip.readUInt16LE(offset + 6) ^ flags) & 0x2049) === 0 &&
    (hasDataDescriptor || matchesLocalHeader(zip, offset, [crc, compressedSize, size]));
  return matches ? undefined : 'differs between the directory and its local header; pack it again';
}

/**
 * Returns whether the local header has these values. Its sizes may be in a zip64 field, which is not read: the sizes in the
 * directory are used and checked.
 */
function matchesLocalHeader(zip: Buffer, offset: number, [crc, packed, size]: readonly number[]): boolean {
  const readField = (position: number): number => zip.readUInt32LE(offset + position);
  const matchesSize = (position: number, value: number | undefined): boolean =>
    readField(position) === value || readField(position) === zip64Placeholder;
  return readField(14) === crc && matchesSize(18, packed) && matchesSize(22, size);
}

interface RawZipName {
  readonly bytes: Buffer;
  /** General purpose flags. */
  readonly flags: number;
  /** The upper byte is the system that created the entry. */
  readonly versionMadeBy: number;
  /** The raw extra fields. */
  readonly extra: Buffer;
}

/**
 * Decodes a name. Uses the declared encoding, or guesses. Valid UTF-8 is read as UTF-8: macOS and many libraries do not set the
 * UTF-8 flag, and names in other encodings are rarely valid UTF-8. Other names are read as Latin-1 if the entry was created on Unix,
 * where names are in the user's locale, else as CP437 (DOS and Windows), as the format prescribes.
 */
function decodeZipName({ bytes, flags, versionMadeBy, extra }: RawZipName): DecodedName {
  const unicode = unicodePath(bytes, extra);
  if (unicode !== undefined) return { name: unicode };
  if ((flags & utf8Flag) !== 0 || isAscii(bytes)) return { name: bytes.toString('utf8') };
  const rawName = rawPath(bytes);
  if (isUtf8(bytes)) return { name: bytes.toString('utf8'), rawName };
  const isUnix = unixSystems.includes(versionMadeBy >> 8);
  return { name: isUnix ? windows1252Text(bytes) : fromCp437(bytes), rawName };
}

const utf8Flag = 0x0800;
/** Unix and macOS (APPNOTE 4.4.2.2). */
const unixSystems = [3, 19];

/**
 * Returns the name in Info-ZIP's Unicode Path field (0x7075), or undefined. The field contains version 1, the CRC of the raw name,
 * and the name in UTF-8.
 */
function unicodePath(bytes: Buffer, extra: Buffer): string | undefined {
  for (let offset = 0; offset + 4 <= extra.length; offset += 4 + extra.readUInt16LE(offset + 2)) {
    const field = extra.subarray(offset + 4, offset + 4 + extra.readUInt16LE(offset + 2));
    if (extra.readUInt16LE(offset) !== 0x7075 || field.length < 6 || field[0] !== 1) continue;
    const name = field.subarray(5);
    // A program that does not support this field leaves the old name in it when it renames the entry. The CRC then differs.
    if (field.readUInt32LE(1) === crc32(bytes) && isUtf8(name)) return name.toString('utf8');
  }
  return undefined;
}

/** The characters 0x80 to 0xff of CP437. */
const upperCp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

function fromCp437(bytes: Buffer): string {
  return Array.from(bytes, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : upperCp437[byte - 0x80],
  ).join('');
}
