/** Makes any text harmless in HTML, between tags and in attributes: it can neither become markup nor change what stands around it. */
export function escapeHtml(text: string): string {
  return harmless.test(text)
    ? text
    : text.replace(dangerous, (character) => entities[character] ?? visible(character));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Besides markup: control characters, line and paragraph separators, what turns the direction of the text after it (UAX 9, 2),
 * and halves of surrogate pairs.
 */
const dangerous =
  /[&<>"'\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\r(?!\n)|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Most texts are, and a test is quicker than a replacement. */
const harmless = /^[\n\t !#-%(-;=?-~]*$/;

/** Controls have pictures of their own in Unicode (2400), the others their number. */
function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
