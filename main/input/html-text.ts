/** Decodes the bytes of an HTML document as Chromium would. */
import { isUtf8 } from 'node:buffer';
import { windows1252Text } from './bytes.ts';

interface DecodeOptions {
  /** Content-Type of the response that contained the document. */
  readonly contentType?: string;
  /** Character set of a document that declares none. */
  readonly fallback?: string | undefined;
}

/**
 * Decodes an HTML document. Determines the character set from, in this order: a byte order mark, the Content-Type, UTF-16 without
 * a mark, the document's declaration, `fallback`. Otherwise uses UTF-8 if the bytes are valid UTF-8, else windows-1252.
 */
export function htmlText(bytes: Buffer, { contentType = '', fallback }: DecodeOptions = {}): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const charset = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1];
  if (charset !== undefined) return decoded(bytes, charset);
  const detected = /charset=(\S+)/.exec(contentTypeOf(bytes, fallback))?.[1];
  const declared = /\b(?:charset|encoding)\s*=\s*(?:["']\s*)?([\w-]+)/i.exec(
    bytes.toString('latin1', 0, 16_384),
  )?.[1];
  return decoded(bytes, detected ?? declared ?? 'windows-1252');
}

/** Decodes the bytes; as windows-1252 if the character set is unknown. */
function decoded(bytes: Buffer, charset: string): string {
  const decoder = decoderFor(charset);
  return decoder === undefined || decoder.encoding === 'windows-1252'
    ? windows1252Text(bytes)
    : decoder.decode(bytes);
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

// Determines the character set of an HTML file. Chromium handles a byte order mark or a declaration. A file without either is
// UTF-8 if its bytes are valid UTF-8; otherwise Chromium guesses the character set.

/** Returns the Content-Type with which to serve an HTML file. `fallback` is the character set of a file that declares none. */
export function contentTypeOf(bytes: Buffer, fallback?: string): string {
  // The start of a tag in UTF-16 without a byte order mark, which Chromium does not detect.
  if (/^\s?\0?<\0[!a-z?]\0/i.test(bytes.toString('latin1', 0, 8))) return 'text/html; charset=utf-16le';
  if (/^\0<\0[!a-z?]/i.test(bytes.toString('latin1', 0, 8))) return 'text/html; charset=utf-16be';
  if (declaresCharset(bytes)) return 'text/html';
  if (fallback !== undefined) return `text/html; charset=${fallback}`;
  return isUtf8(bytes) ? 'text/html; charset=utf-8' : 'text/html';
}

/**
 * Returns the Content-Type of an HTML or plain text response with `fallback` as its charset. Returns undefined if the header or
 * the document declares a charset, and for other types.
 */
export function withDefaultCharset(contentType: string, bytes: Buffer, fallback: string): string | undefined {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase() || 'text/html';
  // XML is UTF-8 unless it declares otherwise (XML 1.0, 4.3.3).
  if (!/^text\/(html|plain)$/.test(type) || /;\s*charset\s*=\s*[^\s;]/i.test(contentType)) return undefined;
  return declaresCharset(bytes) ? undefined : `${type}; charset=${fallback}`;
}

function declaresCharset(bytes: Buffer): boolean {
  return hasByteOrderMark(bytes) || declaration.test(bytes.toString('latin1', 0, scannedBytes));
}

/** Number of bytes searched for a declaration. The HTML standard requires 1,024; Chromium searches the whole head element. */
const scannedBytes = 16_384;
const declaration = /<meta[^>]{0,500}\bcharset\s*=|^\s*<\?xml[^>]{0,200}\bencoding\s*=/i;

function hasByteOrderMark(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 3);
  return start === '\xef\xbb\xbf' || start.startsWith('\xfe\xff') || start.startsWith('\xff\xfe');
}
