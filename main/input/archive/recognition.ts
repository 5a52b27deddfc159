/** Archives told by their content: names and content types of uploads are whatever the client made of them. */

export type ArchiveKind = 'zip' | 'gzip' | 'bzip2' | 'tar';

/** @param head The file's first bytes, 512 or more of them if it has so many. */
export function recogniseArchive(head: Buffer): ArchiveKind | undefined {
  const start = head.toString('latin1', 0, 10);
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return 'zip';
  // The third byte of gzip is its method, and deflate is the only one there is.
  if (start.startsWith('\x1f\x8b\x08')) return 'gzip';
  if (/^BZh[1-9](1AY&SY|\x17rE8P\x90)/.test(start)) return 'bzip2';
  return isTar(head) ? 'tar' : undefined;
}

/**
 * True for a first header block whose checksum is right. Old tar has no other mark than that, and it will do: no text has
 * an octal number there that is the sum of the 511 bytes around it. A file of nothing but zeros is no archive.
 */
export function isTar(head: Buffer): boolean {
  if (head.length < 512 || head[0] === 0) return false;
  // node-tar would unpack what starts so once more by itself, past all limits.
  if (head.readUInt16BE(0) === 0x1f8b) return false;
  const declared = /^ *([0-7]{1,7})[\0 ]/.exec(head.toString('latin1', 148, 156))?.[1];
  if (declared === undefined) return hasMagic(head);
  return parseInt(declared, 8) === checksum(head) || hasMagic(head);
}

/** With the magic but a wrong checksum it is a broken tar, and the caller should be told so. */
function hasMagic(head: Buffer): boolean {
  return head.toString('latin1', 257, 262) === 'ustar';
}

function checksum(head: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < 512; at += 1) if (at < 148 || at >= 156) sum += head[at] ?? 0;
  return sum;
}
