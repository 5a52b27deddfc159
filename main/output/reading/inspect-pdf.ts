/** Answers about a printed PDF: how many pages it has, and which of them are blank. */
import type { PDFDocument } from '@cantoo/pdf-lib';
import type { PrintSettings } from '../../engine/print.ts';
import { isBlankContent, type Box } from './blank-page.ts';
import { fileOf } from '../finish/file-of.ts';
import { dictIn, openPdf, type PdfFile } from './pdf-file.ts';
import type { Dict, Value } from './pdf-syntax.ts';
import { unicodeReader } from './to-unicode.ts';

export interface Inspection {
  readonly pages: number;
  /** Places in it have names, for links to lead to. */
  readonly hasPlaces: boolean;
  /** Of a page from 0 on. A page that cannot be read is not blank. */
  readonly isBlank: (index: number) => boolean;
}

/** In inches, as printed: older Chromium paints a background inside them only. */
type Margins = PrintSettings['margins'];

const noMargins: Margins = { top: 0, right: 0, bottom: 0, left: 0 };
const pointsPerInch = 72;
/** More than any real tree has: Chromium's nodes have eight kids. */
const deepestTree = 50;

/**
 * Costs the same for a thousand pages as for one; `isBlank` costs the way to the page and its content.
 *
 * @throws Error when the file has no classic cross-reference table; then `inspectDocument` knows
 */
export function inspectPdf(bytes: Buffer, margins = noMargins): Inspection {
  return inspect(openPdf(bytes), margins);
}

/** The same answers about a document pdf-lib has parsed. */
export function inspectDocument(document: PDFDocument, margins = noMargins): Inspection {
  return inspect(fileOf(document), margins);
}

function inspect(file: PdfFile, margins: Margins): Inspection {
  const root = dictIn(file.resolve(file.catalogue.get('Pages')));
  const isBlank = (index: number): boolean => {
    try {
      return isBlankPage(file, findPage(file, root, index), margins);
    } catch {
      return false;
    }
  };
  const pages = root.get('Count');
  if (typeof pages !== 'number') throw new Error('The PDF has no page count.');
  return { pages, isBlank, hasPlaces: file.catalogue.has('Dests') };
}

/** The page with the attributes it inherits (ISO 32000-1, 7.7.3.4). @throws Error when there is none */
export function findPage(file: PdfFile, root: Dict, index: number): Dict {
  let node = root;
  let before = 0;
  for (let depth = 0; depth < deepestTree; depth += 1) {
    if (node.get('Type') === 'Page') return node;
    const found = findKid(file, node, index - before);
    node = new Map([...inheritable(node), ...found.kid]);
    before += found.before;
  }
  throw new Error('The PDF has no page tree that ends.');
}

/** The kid that holds the page of that index, and how many pages its elder siblings hold. */
function findKid(file: PdfFile, node: Dict, index: number): { kid: Dict; before: number } {
  let before = 0;
  for (const reference of listIn(file.resolve(node.get('Kids')))) {
    const kid = dictIn(file.resolve(reference));
    const count = kid.get('Type') === 'Page' ? 1 : kid.get('Count');
    if (typeof count !== 'number') break;
    if (index < before + count) return { kid, before };
    before += count;
  }
  throw new Error(`The PDF has no page ${index}.`);
}

function inheritable(node: Dict): Dict {
  return new Map([...node].filter(([key]) => key === 'MediaBox' || key === 'Resources'));
}

function isBlankPage(file: PdfFile, page: Dict, margins: Margins): boolean {
  const annotations = listIn(file.resolve(page.get('Annots')));
  const onlyLinks = annotations.every((entry) => dictIn(file.resolve(entry)).get('Subtype') === 'Link');
  if (!onlyLinks) return false;
  // A page may show its spaces in thousands of pieces.
  const readers = new Map<string, ReturnType<typeof fontReader>>();
  const isWhiteSpace = (font: string, text: Uint8Array) => {
    const read = readers.get(font) ?? fontReader(file, page, font);
    readers.set(font, read);
    // A code that does not say what it means shows a glyph.
    return read(text).every((characters) => characters !== undefined && /^\s+$/.test(characters));
  };
  return isBlankContent(contentOf(file, page), { area: areaOf(file, page, margins), isWhiteSpace });
}

/** A page's streams are one content, with white space between them (7.8.2). */
export function contentOf(file: PdfFile, page: Dict): Uint8Array {
  const contents = page.get('Contents');
  if (contents === undefined) return new Uint8Array();
  const resolved = file.resolve(contents);
  const streams = Array.isArray(resolved) ? resolved : [contents];
  return Buffer.concat(streams.flatMap((stream) => [file.stream(stream), Buffer.from('\n')]));
}

function areaOf(file: PdfFile, page: Dict, margins: Margins): Box {
  const [x1, y1, x2, y2] = listIn(file.resolve(page.get('MediaBox'))).map(Number);
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined)
    throw new Error('The PDF has no page size.');
  return {
    ...{ left: Math.min(x1, x2) + margins.left * pointsPerInch },
    ...{ bottom: Math.min(y1, y2) + margins.bottom * pointsPerInch },
    ...{ right: Math.max(x1, x2) - margins.right * pointsPerInch },
    ...{ top: Math.max(y1, y2) - margins.top * pointsPerInch },
  };
}

/** The characters of a text in a font of the page (or form): undefined for a code of which the font does not say what it means. */
export function fontReader(file: PdfFile, page: Dict, name: string): ReturnType<typeof unicodeReader> {
  const resources = dictIn(file.resolve(page.get('Resources')));
  const font = dictIn(file.resolve(dictIn(file.resolve(resources.get('Font'))).get(name)));
  const cmap = font.get('ToUnicode');
  const codeBytes = font.get('Subtype') === 'Type0' ? 2 : 1;
  return unicodeReader(cmap === undefined ? new Uint8Array() : file.stream(cmap), codeBytes);
}

function listIn(value: Value | undefined): Value[] {
  return Array.isArray(value) ? value : [];
}
