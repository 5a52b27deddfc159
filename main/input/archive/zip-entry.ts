/** One entry of a zip: its directory record against its local header, and where its bytes are. */
import type AdmZip from 'adm-zip';
import { refusal, shown } from './refusal.ts';
import { decodeZipName } from './zip-name.ts';

export interface ZipEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly deflated: boolean;
  /** Declared; to be compared with what comes out. */
  readonly size: number;
  readonly crc: number;
  /** Still compressed. */
  readonly bytes: Buffer;
  /** Of header and bytes, in the file. */
  readonly start: number;
  readonly end: number;
}

/**
 * @param entry As adm-zip found it in the directory.
 * @throws Failure archiveUnusable for whatever is not a plain file or folder, stored or deflated, told alike twice.
 */
export function readZipEntry(zip: Buffer, entry: AdmZip.IZipEntry): ZipEntry {
  const { header } = entry;
  const { flags, made, offset, method, size, crc } = header;
  const name = decodeZipName({ bytes: entry.rawEntryName, flags, made, extra: entry.extra });
  const wrong = (why: string): Error => refusal(`The zip archive's entry ${shown(name)} ${why}.`);
  const problem = typeProblem(entry) ?? localProblem(zip, entry);
  if (problem !== undefined) throw wrong(problem);
  const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
  const end = start + header.compressedSize;
  if (end > zip.length) throw wrong('lies beyond the end of the archive; send the whole archive');
  const isFolder = /[\\/]$/.test(name) || (header.attr >>> 28 === folderType && size === 0);
  if (isFolder && size > 0) throw wrong('is a folder with contents of its own; pack the files again');
  const bytes = zip.subarray(start, end);
  return { name, isFolder, deflated: method === 8, size, crc, bytes, start: offset, end };
}

const [folderType, fileType] = [0o04, 0o10];

/** The file type of Unix, in the attributes' upper bits; 0 where nobody wrote one. */
function typeProblem({ header }: AdmZip.IZipEntry): string | undefined {
  const type = header.attr >>> 28;
  if (type === 0o12) return 'is a link; pack the file it leads to instead';
  if (type !== 0 && type !== folderType && type !== fileType) {
    return 'is neither a file nor a folder; leave it out';
  }
  // Plain, strong and central directory encryption.
  if ((header.flags & 0x2041) !== 0 || header.method === 99) {
    return 'is encrypted; pack the files without a password';
  }
  if (header.method !== 0 && header.method !== 8) {
    return `is compressed by method ${header.method}; pack the files with deflate, the usual method`;
  }
  return undefined;
}

/** Sizes that did not fit and were not found in the zip64 field, or did and are senseless. */
const placeholder = 0xffffffff;

function localProblem(zip: Buffer, entry: AdmZip.IZipEntry): string | undefined {
  const { offset, flags, method, size, crc, compressedSize, diskNumStart } = entry.header;
  if (diskNumStart !== 0) return 'lies in another volume; send a single archive';
  if (Math.max(size, compressedSize, offset) >= placeholder)
    return 'declares an impossible size; pack it again';
  if (offset + 30 > zip.length || zip.readUInt32LE(offset) !== 0x04034b50) {
    return 'is not where the directory says; pack the files again';
  }
  const name = zip.subarray(offset + 30, offset + 30 + zip.readUInt16LE(offset + 26));
  const described = (zip.readUInt16LE(offset + 6) & 8) !== 0;
  const same =
    name.equals(entry.rawEntryName) &&
    zip.readUInt16LE(offset + 8) === method &&
    ((zip.readUInt16LE(offset + 6) ^ flags) & 0x2049) === 0 &&
    (described || agrees(zip, offset, [crc, compressedSize, size]));
  return same ? undefined : 'is told differently in the directory and in its own header; pack it again';
}

/** A local header may leave its sizes to a zip64 field, which nobody reads here: the directory's are used and checked. */
function agrees(zip: Buffer, offset: number, [crc, packed, size]: readonly number[]): boolean {
  const local = (at: number): number => zip.readUInt32LE(offset + at);
  const fits = (at: number, value: number | undefined): boolean =>
    local(at) === value || local(at) === placeholder;
  return local(14) === crc && fits(18, packed) && fits(22, size);
}
