/** Views and decodes bytes, and computes the digests of files. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { nextTurn } from '../async/yielding.ts';

/** Returns a Buffer that shares the array's memory. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Bytes that are searched before the event loop continues with other requests: about 10 ms of work. */
const searchedSlice = 8_000_000;

/** Returns whether the bytes contain the text. The time of each step does not depend on the number of bytes. */
export async function includesText(bytes: Buffer, text: string): Promise<boolean> {
  for (let from = 0; from < bytes.length; from += searchedSlice) {
    if (from > 0) await nextTurn();
    if (bytes.subarray(from, from + searchedSlice + text.length - 1).includes(text)) return true;
  }
  return false;
}

/** Returns the SHA-256 digest of a file in hexadecimal digits. @throws the file system's error */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The characters of the bytes 0x80 to 0x9F in windows-1252 (Encoding Standard, 9). */
const windows1252Characters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Decodes windows-1252. The TextDecoder of some versions of Node, such as 20.20, decodes these bytes as Latin-1. */
export function windows1252Text(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  for (const [index, byte] of bytes.entries())
    units[index] = byte >= 0x80 && byte < 0xa0 ? windows1252Characters.charCodeAt(byte - 0x80) : byte;
  return Buffer.from(units.buffer).toString('utf16le');
}
