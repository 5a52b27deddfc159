/**
 * Replaces the Helvetica of form fields, which is not embedded, with Liberation Sans, whose characters have the same widths. PDF/A
 * and PDF/UA require embedded fonts (ISO 19005-2, 6.2.11.4).
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib';

/** The codes of printable characters in Windows-1252. */
const firstCode = 32;
const lastCode = 255;

/** Bits of the descriptor (ISO 32000-1, table 123): the font has only characters of the standard Latin set. */
const nonsymbolic = 1 << 5;

/** The measures of Liberation Sans 2, in thousandths of the font size. */
const measures = { Ascent: 905, Descent: -212, CapHeight: 729, StemV: 80, ItalicAngle: 0 };
const boundingBox = [-544, -303, 1302, 980];

/** @throws Error if the font file, a part of the installation, cannot be read */
export async function embedFieldFont(document: PDFDocument, font: PDFFont): Promise<void> {
  const { context } = document;
  // Writes the dictionary of Helvetica, which is then replaced, and is not written again.
  await font.embed();
  const name = 'LiberationSans';
  const bytes = await readFile(fontFile());
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: nonsymbolic,
    FontBBox: boundingBox,
    ...measures,
    FontFile2: context.register(context.flateStream(bytes, { Length1: bytes.length })),
  });
  const dict = context.obj({
    Type: 'Font',
    Subtype: 'TrueType',
    BaseFont: name,
    Encoding: 'WinAnsiEncoding',
    FirstChar: firstCode,
    LastChar: lastCode,
    Widths: widthsOf(font),
    FontDescriptor: context.register(descriptor),
  });
  context.assign(font.ref, dict);
}

/** Characters whose widths in Liberation Sans differ from those in Helvetica. */
const otherWidths: ReadonlyMap<string, number> = new Map([
  ['¯', 552],
  ['±', 549],
  ['µ', 576],
  ['÷', 549],
  ['Ÿ', 667],
]);

/** Returns the widths of the codes in thousandths of the font size; 0 for a code without a character. */
function widthsOf(font: PDFFont): number[] {
  const widths = Array.from({ length: lastCode - firstCode + 1 }, () => 0);
  for (const codePoint of font.getCharacterSet()) {
    const character = String.fromCodePoint(codePoint);
    const [code = 0] = font.encodeText(character).asBytes();
    widths[code - firstCode] = otherWidths.get(character) ?? font.widthOfTextAtSize(character, 1000);
  }
  return widths;
}

/** Returns the path of the font, which the build copies beside the programs (build/setup/compile.mjs). */
function fontFile(): string {
  return join(import.meta.dirname, 'fonts', 'LiberationSans-Regular.ttf');
}
