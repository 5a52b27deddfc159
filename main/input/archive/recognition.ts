/** Recognises archives by their content, because the names and content types of uploads are unreliable. */

type ArchiveKind = 'zip' | 'gzip' | 'bzip2' | 'tar';

/**
 * Returns the kind of archive, or undefined if the file is not an archive.
 * @param head The first bytes of the file: at least 512, or the whole file.
 */
export function recogniseArchive(head: Buffer): ArchiveKind | undefined {
  const start = head.toString('latin1', 0, 10);
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return 'zip';
  // The third byte of gzip is the compression method; deflate is the only one.
  if (start.startsWith('\x1f\x8b\x08')) return 'gzip';
  if (/^BZh[1-9](1AY&SY|\x17rE8P\x90)/.test(start)) return 'bzip2';
  return isTar(head) ? 'tar' : undefined;
}

/**
 * Returns whether the first header block has a correct checksum or the magic `ustar`. Old tar archives have no magic, but no
 * text contains the octal checksum of its own first block by chance. A file that starts with a zero byte is not a tar archive.
 */
export function isTar(head: Buffer): boolean {
  if (head.length < 512 || head[0] === 0) return false;
  // node-tar would decompress gzip itself, bypassing all limits.
  if (head.readUInt16BE(0) === 0x1f8b) return false;
  const declared = /^ *([0-7]{1,7})[\0 ]/.exec(head.toString('latin1', 148, 156))?.[1];
  if (declared === undefined) return hasMagic(head);
  return parseInt(declared, 8) === checksum(head) || hasMagic(head);
}

/** Returns whether the header has the magic. With a wrong checksum, such a file is reported as a damaged tar archive. */
function hasMagic(head: Buffer): boolean {
  return head.toString('latin1', 257, 262) === 'ustar';
}

function checksum(head: Buffer): number {
  let sum = 8 * 0x20;
  for (let offset = 0; offset < 512; offset += 1) if (offset < 148 || offset >= 156) sum += head[offset] ?? 0;
  return sum;
}
