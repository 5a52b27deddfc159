/** Finds a colour on the pages of a PDF. */
import assert from 'node:assert/strict';
import { pdfImage } from './pdf.ts';
import { extent, readImage, type Colour } from './image.ts';

/** Returns the bounding box of the colour, in points from the upper left corner of the page; undefined if the colour is absent. */
export async function findColour(pdf: Buffer, colour: Colour, page = 1) {
  const found = extent(await readImage(pdfImage(pdf, 2, page)), colour);
  if (found === undefined) return undefined;
  const { left, top, right, bottom } = found;
  return { left: left / 2, top: top / 2, right: (right + 1) / 2, bottom: (bottom + 1) / 2 };
}

export function assertNear(actual: number | undefined, expected: number, tolerance = 1): void {
  const isNear = actual !== undefined && Math.abs(actual - expected) <= tolerance;
  assert.ok(isNear, `${String(actual)} is not ${expected}`);
}
