/** Measures and writes lines of text in Helvetica, which every viewer has. */
import type { PDFFont } from '@cantoo/pdf-lib';

export interface FieldFont {
  readonly font: PDFFont;
  readonly characters: ReadonlySet<number>;
}

export function createFieldFont(font: PDFFont): FieldFont {
  return { font, characters: new Set(font.getCharacterSet()) };
}

/** Returns whether the font has all characters of the text. */
export function hasGlyphsFor({ characters }: FieldFont, text: string): boolean {
  return Array.from(text).every(
    (character) => /\s/.test(character) || characters.has(character.codePointAt(0) ?? 0),
  );
}

/** Replaces each white-space character with a space. */
export function toSingleLine(text: string): string {
  return text.replace(/\s/g, ' ');
}

/** Breaks a string into lines of at most this width in points, as a textarea does. */
export function linesOf(
  { font }: FieldFont,
  text: string,
  { size, width }: { size: number; width: number },
): string[] {
  const fits = (line: string) => font.widthOfTextAtSize(line, size) <= width;
  return text.split(/\r\n|\r|\n/).flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    // Each match is a word with the whitespace after it, which may exceed the width.
    for (const word of paragraph.match(/\S*\s*/g) ?? []) {
      if (line !== '' && !fits(line + word.trimEnd())) {
        lines.push(line);
        line = '';
      }
      line += toSingleLine(word);
      for (let length = line.trimEnd().length; length > 0;) {
        const head = fittingHead(line, fits);
        if (head.length >= length) break;
        lines.push(head);
        line = line.slice(head.length);
        length -= head.length;
      }
    }
    return [...lines, line];
  });
}

/** Returns the longest prefix of a word that fits; at least one character. */
function fittingHead(word: string, fits: (text: string) => boolean): string {
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0).length;
  let fitting = first;
  let tooLong = first + 1;
  // Measures no text that is much longer than the result.
  while (tooLong <= word.length && fits(word.slice(0, tooLong))) {
    fitting = tooLong;
    tooLong *= 2;
  }
  tooLong = Math.min(tooLong, word.length + 1);
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(word.slice(0, middle))) fitting = middle;
    else tooLong = middle;
  }
  const splitsPair = /[\ud800-\udbff]$/.test(word.slice(0, fitting)) && fitting > first;
  return word.slice(0, splitsPair ? fitting - 1 : fitting);
}
