/**
 * Determines from its text whether a static document can hide or cut content. A letter takes five milliseconds; looking at its page
 * would take another one.
 */
import type { Options } from '../../job/options.ts';

/** In characters. Searching a longer text would block the main thread for more than 30 ms. */
const maxLength = 200_000;

/** Words that may hide content, or be printed differently. A static document has no frames and text areas. */
const hidingWords =
  /overflow|scroll|@font-face|filter|fixed|background-clip|preserve-3d|hyphens|@(?:top|bottom|left|right)-/i;
/** Words with which content may be wider than the window. */
const wideWords =
  /nowrap|white-space|<(?:pre|img|svg|nobr)\b|flex|grid|position|transform|zoom|\dv[wh]|\dvmin|\dvmax/i;
/** Matches lengths of 800 pixels, 100 mm, 10 cm or 10 inches, and more. */
const longLength =
  /(?:[89]\d\d|\d{4})(?:\.\d+)?px|width\s*=\s*["']?(?:[89]\d\d|\d{4})|\d{3}\s*mm|\d\d\s*(?:cm|in)\b|[2-9]\d\d\s*%/i;
const largeLetters = /font[^;}"']{0,60}?(?:[3-9]\d|\d{3})(?:\.\d+)?(?:px|pt)|[3-9](?:\.\d+)?\s*r?em/i;
/** A word of so many characters may be longer than a line. */
const longWord = /[^\s<>]{60}/;
/** A table with more columns may be wider than the window. */
const maxColumns = 10;
/** What makes the head of a table tall. A longer one may be too tall to be repeated, too. */
const tall = /(?<!line-)height|\d{3}(?:px|pt)/i;
const maxHeadLength = 1000;
/** The shortest lines that make a cell as tall as a page take more characters. */
const maxCellLength = 300;

/** Returns whether a static document hides nothing, and is no wider than its window. */
export function isSurelyComplete(
  text: string,
  { content_viewport_width: width, custom_css }: Options,
): boolean {
  if (text.length > maxLength || custom_css !== undefined) return false;
  if (hidingWords.test(text) || hasLongHead(text) || hasLongCell(text)) return false;
  if (width === 'balanced') return true;
  // Narrower windows are rare.
  if (width < 1000) return false;
  return (
    ![wideWords, longLength, largeLetters].some((pattern) => pattern.test(text)) &&
    !partsWithoutStyle(text).some((part) => longWord.test(part)) &&
    !hasManyColumns(text)
  );
}

/** Returns the text without its style sheets, whose rules may be long words. */
function partsWithoutStyle(text: string): string[] {
  return text.split(/<\/style/i).map((part) => part.split(/<style/i)[0] ?? '');
}

/** Returns whether a cell with a border may be taller than a page. */
function hasLongCell(text: string): boolean {
  if (!/border/i.test(text)) return false;
  const [, ...cells] = text.split(/<t[dh]\b/i);
  return (
    /\browspan/i.test(text) || cells.some((cell) => (cell.split(/<\/t/i, 1)[0] ?? '').length > maxCellLength)
  );
}

function hasLongHead(text: string): boolean {
  const [, ...afterHeads] = text.split('<thead');
  if (afterHeads.length > 0 && tall.test(text)) return true;
  return afterHeads.some((part) => {
    const head = part.slice(0, maxHeadLength);
    return !head.includes('<tbody') && !head.includes('</thead');
  });
}

function hasManyColumns(text: string): boolean {
  return text.split(/<tr\b/i).some((row) => row.split(/<t[dh]\b/i).length - 1 > maxColumns);
}
