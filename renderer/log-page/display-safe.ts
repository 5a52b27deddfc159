/** Makes log values safe to show: replaces invisible and bidirectional control characters, and shortens long strings. */
import { replaceUnsafeCharacters } from '../../main/log/escape-html.ts';
import { mapTexts } from '../../main/log/masking.ts';

/** The maximum length of a string. */
const maxLength = 2000;

/** Returns a copy of the value with all strings made safe to show, except the data of an image. Preact escapes the markup. */
export function displaySafe<T>(value: T): T {
  return mapTexts(value, (text, name) => (name === 'data' ? text : readableText(text)));
}

function readableText(text: string): string {
  if (text.length <= maxLength) return replaceUnsafeCharacters(text);
  // Does not separate the two halves of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
  return `${replaceUnsafeCharacters(text.slice(0, end))}… (${text.length - end} more characters)`;
}
