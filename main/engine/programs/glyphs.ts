/** Which characters of a page no font has a glyph for. Part of the program `look`. */
import type { FontStack } from './texts.ts';

/** A code point that is none for ever (Unicode, 23.7), so that what is drawn is the sign for what is missing. */
const nothing = '\u{10ffff}';
const side = 28;
/** Of the whole page. */
const mostTried = 1000;

export interface MissingGlyph {
  readonly character: string;
  readonly count: number;
  readonly element: Element;
}

/** Drawn in each style that asks for it, and compared with what is drawn for nothing. */
export function missingGlyphs(stacks: Iterable<FontStack>): MissingGlyph[] {
  const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
  if (context === null) return [];
  context.textBaseline = 'top';
  const missing: MissingGlyph[] = [];
  let tried = 0;
  for (const { font, unusual } of stacks) {
    if (unusual.size === 0) continue;
    context.font = font;
    const width = context.measureText(nothing).width;
    const drawn = drawing(context, nothing);
    for (const [character, { count, element }] of unusual) {
      if ((tried += 1) > mostTried) return missing;
      if (context.measureText(character).width !== width) continue;
      if (sameBytes(drawing(context, character), drawn)) missing.push({ character, count, element });
    }
  }
  return missing;
}

function drawing(context: OffscreenCanvasRenderingContext2D, character: string): Uint8ClampedArray {
  context.clearRect(0, 0, side, side);
  context.fillText(character, 0, 0);
  return context.getImageData(0, 0, side, side).data;
}

function sameBytes(one: Uint8ClampedArray, other: Uint8ClampedArray): boolean {
  return one.every((value, index) => value === other[index]);
}
