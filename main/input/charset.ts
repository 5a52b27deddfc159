/**
 * The character set of an uploaded HTML file. A byte order mark or a declaration is Chromium's to follow; what declares
 * nothing and is sound UTF-8 is UTF-8; the rest Chromium sniffs.
 */
import { isUtf8 } from 'node:buffer';

/** The Content-Type to serve the file with. `fallback`: the character set of one that declares nothing. */
export function contentTypeOf(bytes: Buffer, fallback?: string): string {
  // A tag's first letters in UTF-16 without a mark, which Chromium does not look for.
  if (/^\s?\0?<\0[!a-z?]\0/i.test(bytes.toString('latin1', 0, 8))) return 'text/html; charset=utf-16le';
  if (/^\0<\0[!a-z?]/i.test(bytes.toString('latin1', 0, 8))) return 'text/html; charset=utf-16be';
  if (declares(bytes)) return 'text/html';
  if (fallback !== undefined) return `text/html; charset=${fallback}`;
  return isUtf8(bytes) ? 'text/html; charset=utf-8' : 'text/html';
}

/** The Content-Type of a server's answer with a character set; undefined when it, or the document, says one already. */
export function withDefaultCharset(contentType: string, bytes: Buffer, fallback: string): string | undefined {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase() || 'text/html';
  // XML is UTF-8 unless it declares another (XML 1.0, 4.3.3).
  if (!/^text\/(html|plain)$/.test(type) || /;\s*charset\s*=\s*[^\s;]/i.test(contentType)) return undefined;
  return declares(bytes) ? undefined : `${type}; charset=${fallback}`;
}

function declares(bytes: Buffer): boolean {
  return hasByteOrderMark(bytes) || declaration.test(bytes.toString('latin1', 0, searched));
}

/** The HTML standard prescans 1,024 bytes; Chromium goes on through the head. */
const searched = 16_384;
const declaration = /<meta[^>]{0,500}\bcharset\s*=|^\s*<\?xml[^>]{0,200}\bencoding\s*=/i;

function hasByteOrderMark(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 3);
  return start === '\xef\xbb\xbf' || start.startsWith('\xfe\xff') || start.startsWith('\xff\xfe');
}
