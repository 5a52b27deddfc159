/** The end record of a zip: what adm-zip trusts and does not show, looked at before adm-zip reads the directory. */
import { refusal } from './refusal.ts';

export interface ZipEnd {
  /** Where the directory begins and ends in the file. */
  readonly directory: { readonly start: number; readonly end: number };
}

const [endSize, locatorSize] = [22, 20];

/**
 * Finds the record adm-zip finds: the last one.
 * @throws Failure archiveUnusable for what is cut off, in volumes, or contradicts itself.
 */
export function readZipEnd(zip: Buffer): ZipEnd {
  const at = zip.lastIndexOf('PK\x05\x06', -endSize, 'latin1');
  if (at < 0 || at < zip.length - endSize - 0xffff || at + endSize + zip.readUInt16LE(at + 20) > zip.length) {
    throw refusal('The zip archive is cut off or damaged: its end is missing; send it again.');
  }
  const [disk, startDisk, here, all] = [4, 6, 8, 10].map((offset) => zip.readUInt16LE(at + offset));
  if (disk !== 0 || startDisk !== 0 || here !== all) {
    throw refusal('The zip archive is one of several volumes; send a single one.');
  }
  refuseZip64(zip, at);
  const [size, start] = [zip.readUInt32LE(at + 12), zip.readUInt32LE(at + 16)];
  if (start + size !== at) {
    throw refusal(
      'The zip archive is damaged: its directory is not where its end says; pack the files again.',
    );
  }
  return { directory: { start, end: at } };
}

/** Zip64 ends are for more entries and bytes than are allowed; two ends that differ are a trick. */
function refuseZip64(zip: Buffer, at: number): void {
  const locator = at >= locatorSize && zip.toString('latin1', at - locatorSize, at - 16) === 'PK\x06\x07';
  const placeholder = zip.readUInt16LE(at + 10) === 0xffff || zip.readUInt32LE(at + 16) === 0xffffffff;
  if (!locator && !placeholder) return;
  throw refusal(
    'The zip archive is in zip64 format, which is for larger archives; pack the files as a plain zip.',
  );
}
