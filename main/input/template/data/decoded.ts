/** Bytes to text. A byte order mark knows better than the option. */
import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { placeOf } from '../problem.ts';
import { DataProblem } from './data-problem.ts';

/** @throws DataProblem for an encoding nobody knows, and for bytes that are not in it. */
export function decoded(bytes: Uint8Array, encoding: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const name = markOf(buffer) ?? (encoding.trim().toLowerCase() || 'utf-8');
  if (/^utf-?8$/.test(name)) return utf8(buffer);
  const decoder = decoderFor(name);
  if (decoder !== undefined) return decoder.decode(buffer);
  if (!iconv.encodingExists(name))
    throw new DataProblem(
      `The data_encoding '${encoding}' is not known; use utf-8, utf-16, windows-1252 and the like.`,
    );
  return iconv.decode(buffer, name);
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function utf8(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes);
  if (isUtf8(bytes)) return text;
  const { line, column } = placeOf(text, text.indexOf('\ufffd'));
  throw new DataProblem(
    `The data is not UTF-8 at line ${line}, column ${column}; send data_encoding with its character set, such as windows-1252.`,
  );
}

/** What browsers call an encoding they know; iconv knows the old ones of DOS and the mainframes besides. */
function decoderFor(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name);
  } catch {
    return undefined;
  }
}
