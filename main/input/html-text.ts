/** The bytes of an HTML document as text, by its own declaration, as Chromium would read it. */
import { contentTypeOf } from './charset.ts';

/** What is known of a document besides its bytes. */
export interface Told {
  /** Content-Type of the answer it came with. */
  readonly contentType?: string;
  /** Character set of what declares none. */
  readonly fallback?: string | undefined;
}

/** A byte order mark beats what the answer says, and that a declaration; the rest is `fallback`, or UTF-8, or else Western European. */
export function htmlText(bytes: Buffer, { contentType = '', fallback }: Told = {}): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const answered = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1];
  if (answered !== undefined) return decoderFor(answered).decode(bytes);
  const known = /charset=(\S+)/.exec(contentTypeOf(bytes, fallback))?.[1];
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
