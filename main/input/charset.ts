/**
 * The character set of an uploaded HTML file. A byte order mark or a declaration is Chromium's to follow; what declares
 * nothing and is sound UTF-8 is UTF-8; the rest Chromium sniffs.
 */
import { isUtf8 } from 'node:buffer';

/** The Content-Type to serve the file with. */
export function contentTypeOf(bytes: Buffer): string {
  // A tag's first letters in UTF-16 without a mark, which Chromium does not look for.
  if (/^\s?\0?<\0[!a-z?]\0/i.test(bytes.toString('latin1', 0, 8))) return 'text/html; charset=utf-16le';
  if (/^\0<\0[!a-z?]/i.test(bytes.toString('latin1', 0, 8))) return 'text/html; charset=utf-16be';
  const declares = hasByteOrderMark(bytes) || declaration.test(bytes.toString('latin1', 0, searched));
  return !declares && isUtf8(bytes) ? 'text/html; charset=utf-8' : 'text/html';
}

/** The HTML standard prescans 1,024 bytes; Chromium goes on through the head. */
const searched = 16_384;
const declaration = /<meta[^>]{0,500}\bcharset\s*=|^\s*<\?xml[^>]{0,200}\bencoding\s*=/i;

function hasByteOrderMark(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 3);
  return start === '\xef\xbb\xbf' || start.startsWith('\xfe\xff') || start.startsWith('\xff\xfe');
}
