/** Fills whole pages, including their margins, with colours. */
import type { PDFDocument, PDFRef } from '@cantoo/pdf-lib';
import { layerPainter } from './layers.ts';
import { formatNumber, frameOf } from './page-forms.ts';

/**
 * Fills each page with the colour that `colourOf` returns for its index: RRGGBB, RRGGBBAA, or undefined for no colour. The colour
 * is painted below everything on the page, including backgrounds that were applied earlier.
 */
export function paintPages(document: PDFDocument, colourOf: (index: number) => string | undefined): void {
  const squares = new Map<string, PDFRef>();
  const painters = new Map<string, ReturnType<typeof layerPainter>>();
  document.getPages().forEach((page, index) => {
    const colour = colourOf(index)?.toLowerCase();
    if (colour === undefined || colour.slice(6) === '00') return;
    const { width, height } = frameOf(page);
    const square = squares.get(colour) ?? squareOf(document, colour);
    squares.set(colour, square);
    const key = `${colour} ${width} ${height}`;
    const painter =
      painters.get(key) ??
      layerPainter({
        position: 'under',
        artifact: 'Background',
        xobject: square,
        matrix: [width, 0, 0, height, 0, 0],
      });
    painters.set(key, painter);
    painter(page);
  });
}

/** Returns a form that fills the unit square with the colour. */
function squareOf({ context }: PDFDocument, colour: string): PDFRef {
  const components = [0, 2, 4].map((from) =>
    formatNumber(Number.parseInt(colour.slice(from, from + 2), 16) / 255),
  );
  const alpha = colour.length === 8 ? Number.parseInt(colour.slice(6), 16) / 255 : 1;
  const content = `/Alpha gs ${components.join(' ')} rg 0 0 1 1 re f`;
  const form = context.stream(content, {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, 1, 1],
    Resources: { ExtGState: { Alpha: { Type: 'ExtGState', ca: alpha } } },
  });
  return context.register(form);
}
