/** Decodes UTF-8 without holding the whole file, and says which line is not UTF-8. */
import { isUtf8 } from 'node:buffer';
import { rowsUnusable } from './row.ts';

/** Yields the text of the file without a byte order mark. @throws Failure dataInvalid if the bytes are not UTF-8 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && isUtf16(chunk))
      throw rowsUnusable('it is UTF-16. Save it as UTF-8; Excel calls this "CSV UTF-8".');
    if (chunk.length > 0) isFirst = false;
    const text = decode(decoder, chunk, lines);
    lines += linesIn(chunk);
    if (text !== '') yield text;
  }
  const rest = decode(decoder, undefined, lines);
  if (rest !== '') yield rest;
}

/** Decodes a chunk, or without one the end of the file. `lines`: the number of line feeds before the chunk. */
function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, lines: number): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    const line = lines + 1 + (chunk === undefined ? 0 : validLines(chunk));
    throw rowsUnusable(`line ${line} is not UTF-8. Save the file as UTF-8; Excel calls this "CSV UTF-8".`);
  }
}

/** Returns how many lines of the chunk are valid. If all are, the character that began in the chunk before is incomplete. */
function validLines(chunk: Uint8Array): number {
  let start = 0;
  for (let count = 0; ; count += 1) {
    const end = chunk.indexOf(lineFeed, start);
    const line = chunk.subarray(start, end === -1 ? chunk.length : end);
    // The first line may begin in the middle of a character.
    const withoutRest = count === 0 ? line.subarray(line.findIndex((byte) => (byte & 0xc0) !== 0x80)) : line;
    if (!isUtf8(withoutRest)) return count;
    if (end === -1) return 0;
    start = end + 1;
  }
}

const lineFeed = 0x0a;

function linesIn(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
