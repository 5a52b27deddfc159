/** Escapes text for HTML content and attributes, so that it can neither become markup nor change the direction of other text. */
export function escapeHtml(text: string): string {
  return replaceUnsafeCharacters(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Replaces invisible characters, and characters that change the text direction, with visible ones. Does not escape markup. */
export function replaceUnsafeCharacters(text: string): string {
  return safeText.test(text) ? text : text.replace(unsafeCharacters, visibleForm);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Control characters, line and paragraph separators, characters that change the direction of text (UAX 9, 2), and
 * unpaired surrogates.
 */
const unsafeCharacters =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\r(?!\n)|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Matches strings without unsafe characters. Most strings match, and this test is faster than a replacement. */
const safeText = /^[\n\t -~]*$/;

/** Returns the symbol for an ASCII control character (Unicode block from U+2400), or `[U+2028]` for another character. */
function visibleForm(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
