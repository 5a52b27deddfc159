/** Recognises archives by their content, because the names and content types of uploads are unreliable. */

type ArchiveKind = 'zip' | 'gzip' | 'bzip2' | 'tar';

/** @param head The first bytes of the file: at least 512, or the whole file. */
export function recogniseArchive(head: Buffer): ArchiveKind | undefined {
  const start = head.toString('latin1', 0, 10);
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return 'zip';
  // The third byte of gzip is the compression method; deflate is the only one.
  if (start.startsWith('\x1f\x8b\x08')) return 'gzip';
  if (/^BZh[1-9](1AY&SY|\x17rE8P\x90)/.test(start)) return 'bzip2';
  return isTar(head) ? 'tar' : undefined;
}

/**
 * Returns true if the first header block has a correct checksum or the tar magic. Old tar has no magic, but no text contains
 * the octal sum of its block by chance. A file of zeros is not an archive.
 */
export function isTar(head: Buffer): boolean {
  if (head.length < 512 || head[0] === 0) return false;
  // node-tar would decompress gzip itself, bypassing all limits.
  if (head.readUInt16BE(0) === 0x1f8b) return false;
  const declared = /^ *([0-7]{1,7})[\0 ]/.exec(head.toString('latin1', 148, 156))?.[1];
  if (declared === undefined) return hasMagic(head);
  return parseInt(declared, 8) === checksum(head) || hasMagic(head);
}

/** A file with the magic and a wrong checksum is a damaged tar, and is reported as one. */
function hasMagic(head: Buffer): boolean {
  return head.toString('latin1', 257, 262) === 'ustar';
}

function checksum(head: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < 512; at += 1) if (at < 148 || at >= 156) sum += head[at] ?? 0;
  return sum;
}
