/** Makes log values safe to show: replaces hidden and bidi characters, and cuts long texts. */
import { replaceUnsafeCharacters } from '../../main/log/escape-html.ts';
import { mapTexts } from '../../main/log/masking.ts';

/** Characters of one text. */
const maxLength = 2000;

/** Returns the value with all of its texts made readable; an image keeps its data. Preact escapes markup later. */
export function readable<T>(value: T): T {
  return mapTexts(value, (text, name) => (name === 'data' ? text : readableText(text)));
}

function readableText(text: string): string {
  if (text.length <= maxLength) return replaceUnsafeCharacters(text);
  // Does not cut between the halves of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
  return `${replaceUnsafeCharacters(text.slice(0, end))}… (${text.length - end} more characters)`;
}
