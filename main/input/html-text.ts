/** The bytes of an HTML document as text, by its own declaration, as Chromium would read it. */
import { contentTypeOf } from './charset.ts';

/**
 * A byte order mark beats what an answer's `contentType` says, and that a declaration; what declares nothing is UTF-8, or
 * else Western European.
 */
export function htmlText(bytes: Buffer, contentType = ''): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const answered = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1];
  if (answered !== undefined) return decoderFor(answered).decode(bytes);
  const known = /charset=(\S+)/.exec(contentTypeOf(bytes))?.[1];
  const declared = /\b(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)/i.exec(
    bytes.toString('latin1', 0, 16_384),
  )?.[1];
  return decoderFor(known ?? declared ?? 'windows-1252').decode(bytes);
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('windows-1252');
  }
}
