/** Whether a page could load files that lie beside it. A wrong yes costs an upload; a wrong no, a picture. */
import type { Form } from './form.ts';

const referring =
  /\b(?:src|srcset|href|poster|data|background|action|longdesc|manifest)\s*=|url\(|@import|<script|http-equiv|<\?xml|<svg/i;

/** What is put into the page by options may refer to them as well. */
const inserting = /^(header_html|footer_html|custom_css|custom_javascript|on_load_javascript|zip_)/;

export async function mayReferToFiles(page: Blob, { fields, files }: Form): Promise<boolean> {
  if (fields.some(({ name }) => inserting.test(name))) return true;
  if (files.some(({ name }) => name === 'data_file')) return true;
  const text = Buffer.from(await page.arrayBuffer()).toString('latin1');
  // In UTF-16 nothing would be found.
  return text.includes('\0') || referring.test(text);
}
