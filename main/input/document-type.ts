/** What a single uploaded file is, and the type to serve it with, so that it looks as a browser would show it. */
import { contentTypeOf } from './charset.ts';

/** Enough to see what a file begins with. */
const searched = 65_536;

/** `name` tells XHTML from HTML that begins like XML; everything else is told by the content. `fallback`: see contentTypeOf. */
export function documentTypeOf(bytes: Buffer, name: string, fallback?: string): string {
  const html = contentTypeOf(bytes, fallback);
  const start = bytes.toString('latin1', 0, searched).replace(/^(\xef\xbb\xbf)?\s*/, '');
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*|<!doctype svg[^>]*>\s*)*<svg[\s>]/i.test(start))
    return 'image/svg+xml';
  if (/\.(xhtml|xht)$/i.test(name) && /^<(\?xml|!doctype|html)/i.test(start)) return 'application/xhtml+xml';
  // No tag, no text in UTF-16: plain text.
  if (!/<[a-z!?/]/i.test(start) && !start.includes('\0')) return html.replace('text/html', 'text/plain');
  return html;
}
