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
      while (!fits(line.trimEnd())) {
        const head = fittingHead(line, fits);
        lines.push(head);
        line = line.slice(head.length);
      }
    }
    return [...lines, line];
  });
}

/** Returns the longest prefix of a word that fits; at least one character. */
function fittingHead(word: string, fits: (text: string) => boolean): string {
  const characters = Array.from(word);
  let end = 1;
  while (end < characters.length && fits(characters.slice(0, end + 1).join(''))) end += 1;
  return characters.slice(0, end).join('');
}
