/** Inspects a printed PDF: the number of pages, the size of each page, and whether a page is blank. */
import { yieldingToEventLoop } from '../../async/yielding.ts';
import type { PrintSettings } from '../../engine/window/print.ts';
import { isBlankContent, type PdfRectangle } from './blank-page.ts';
import { maxDecodedBytes, StreamTooLarge } from './inflate.ts';
import { dictIn, listIn, openPdf, type PdfFile } from './pdf-file.ts';
import { isReference, operations, type Dict, type PdfValue } from './pdf-syntax.ts';
import type { Margins } from '../../job/paper.ts';
import { pointsPerInch } from '../geometry.ts';

export interface Inspection {
  readonly pages: number;
  /** Whether the document has named destinations, to which links refer. */
  readonly hasNamedDestinations: boolean;
  /** Returns the pages of named destinations, from 0, in steps. */
  readonly pagesOfDestinations: (names: ReadonlySet<string>) => Promise<ReadonlyMap<string, number>>;
  /** Returns the size of a page in inches. `index` counts from 0. @throws Error if the page cannot be read */
  readonly paperOf: (index: number) => PrintSettings['paper'];
  /** Returns whether a page is blank. `index` counts from 0. A page that cannot be read does not count as blank. */
  readonly isBlank: (index: number) => boolean;
}

/** The margins of the printed pages in inches. Older versions of Chromium paint backgrounds only between the margins. */
type PageMargins = PrintSettings['margins'];

const noMargins: PageMargins = { top: 0, right: 0, bottom: 0, left: 0 };
/** More levels than any real page tree has. In Chromium's page trees, each node has up to eight children. */
const maxTreeDepth = 50;

/**
 * Inspects a PDF without parsing the whole file, so the time does not depend on the number of pages. `isBlank` reads only the page,
 * its content, and the nodes above it in the page tree.
 *
 * @throws Error if `openPdf` does not support the file; use `inspect` instead
 */
export function inspectPdf(bytes: Buffer, margins = noMargins): Inspection {
  return inspectFile(openPdf(bytes), margins);
}

/** @throws Error if the file has no page count */
export function inspectFile(file: PdfFile, margins = noMargins): Inspection {
  const root = dictIn(file.resolve(file.catalogue.get('Pages')));
  const fonts: FontReaders = new Map();
  const isBlank = (index: number): boolean => {
    try {
      return isBlankPage(file, findPage(file, root, index), { margins, fonts });
    } catch {
      return false;
    }
  };
  const paperOf = (index: number) => {
    const { left, bottom, right, top } = areaOf(file, findPage(file, root, index), noMargins);
    return { width: (right - left) / pointsPerInch, height: (top - bottom) / pointsPerInch };
  };
  const pages = root.get('Count');
  if (typeof pages !== 'number') throw new Error('The PDF has no page count.');
  return {
    pages,
    paperOf,
    isBlank,
    hasNamedDestinations: file.catalogue.has('Dests'),
    pagesOfDestinations: (names) => pagesOfDestinations(file, root, names),
  };
}

/** Reads the dictionary of named destinations, in which Chromium stores all of them (ISO 32000-1, 12.3.2.3). */
async function pagesOfDestinations(
  file: PdfFile,
  root: Dict,
  names: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const indices = new Map<number, number>();
  for await (const object of yieldingToEventLoop(objectsOfPages(file, root)))
    indices.set(object, indices.size);
  const pages = new Map<string, number>();
  for await (const [name, destination] of yieldingToEventLoop(file.entries(file.catalogue.get('Dests')))) {
    if (!names.has(name)) continue;
    const [page] = listIn(file.resolve(destination));
    const index = isReference(page) ? indices.get(page.object) : undefined;
    if (index !== undefined) pages.set(name, index);
  }
  return pages;
}

/** Yields the object numbers of the pages below a node of the page tree, in order. */
function* objectsOfPages(file: PdfFile, node: Dict, depth = 0): Generator<number> {
  if (depth > maxTreeDepth) throw new Error('The page tree of the PDF is too deep.');
  for (const reference of listIn(file.resolve(node.get('Kids')))) {
    if (!isReference(reference)) continue;
    const kid = dictIn(file.resolve(reference));
    if (kid.get('Type') === 'Page') yield reference.object;
    else yield* objectsOfPages(file, kid, depth + 1);
  }
}

/** Returns a page with its inherited attributes (ISO 32000-1, 7.7.3.4). @throws Error if there is no such page */
export function findPage(file: PdfFile, root: Dict, index: number): Dict {
  let node = root;
  let before = 0;
  for (let depth = 0; depth < maxTreeDepth; depth += 1) {
    if (node.get('Type') === 'Page') return node;
    const found = findKid(file, node, index - before);
    node = new Map([...inheritable(node), ...found.kid]);
    before += found.before;
  }
  throw new Error('The page tree of the PDF is too deep.');
}

/** Returns the child of a page tree node that contains the page, and the number of pages before this child. */
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

// Reading more would block the event loop, and hardly any blank page has so much content, so large a font or so many links.
const maxBlankBytes = 100_000;
const maxBlankLinks = 1000;

/** The decoded fonts of a file by their object numbers, because the whitespace of a page may consist of thousands of strings. */
type FontReaders = Map<number, ReturnType<typeof unicodeReader>>;

interface BlankPageCheck {
  readonly margins: PageMargins;
  readonly fonts: FontReaders;
}

function isBlankPage(file: PdfFile, page: Dict, { margins, fonts }: BlankPageCheck): boolean {
  const annotations = listIn(file.resolve(page.get('Annots')));
  if (annotations.length > maxBlankLinks) return false;
  const onlyLinks = annotations.every((entry) => dictIn(file.resolve(entry)).get('Subtype') === 'Link');
  if (!onlyLinks) return false;
  const isWhiteSpace = (name: string, text: Uint8Array) => {
    const font = fontIn(file, page, name);
    const key = isReference(font) ? font.object : undefined;
    const read = fonts.get(key ?? -1) ?? readerOf(file, font, maxBlankBytes);
    if (key !== undefined) fonts.set(key, read);
    // A code without a known character counts as a visible glyph.
    return read(text).every((characters) => characters !== undefined && /^\s+$/.test(characters));
  };
  const content = contentOf(file, page, maxBlankBytes);
  return isBlankContent(content, { area: areaOf(file, page, margins), isWhiteSpace });
}

/**
 * Returns the decoded content streams of a page, joined with whitespace (ISO 32000-1, 7.8.2). @throws StreamTooLarge if they are longer
 * than `maxBytes`, even if one stream is listed several times
 */
export function contentOf(file: PdfFile, page: Dict, maxBytes = maxDecodedBytes): Uint8Array {
  const contents = page.get('Contents');
  if (contents === undefined) return new Uint8Array();
  const resolved = file.resolve(contents);
  const streams = Array.isArray(resolved) ? resolved : [contents];
  let left = maxBytes;
  const parts = streams.flatMap((reference) => {
    const part = file.stream(reference, left);
    left -= part.length;
    if (left < 0) throw new StreamTooLarge();
    return [part, Buffer.from('\n')];
  });
  return Buffer.concat(parts);
}

function areaOf(file: PdfFile, page: Dict, margins: PageMargins): PdfRectangle {
  const [x1, y1, x2, y2] = listIn(file.resolve(page.get('MediaBox'))).map(Number);
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined)
    throw new Error('The PDF has no page size.');
  return {
    left: Math.min(x1, x2) + margins.left * pointsPerInch,
    bottom: Math.min(y1, y2) + margins.bottom * pointsPerInch,
    right: Math.max(x1, x2) - margins.right * pointsPerInch,
    top: Math.max(y1, y2) - margins.top * pointsPerInch,
  };
}

/**
 * Returns a function that decodes strings in the named font of a page or form. Codes that the font does not map become undefined.
 */
export function fontReader(file: PdfFile, page: Dict, name: string): ReturnType<typeof unicodeReader> {
  return readerOf(file, fontIn(file, page, name));
}

/** Returns the named font in the resources of a page or form. */
function fontIn(file: PdfFile, page: Dict, name: string): PdfValue | undefined {
  const resources = dictIn(file.resolve(page.get('Resources')));
  return dictIn(file.resolve(resources.get('Font'))).get(name);
}

function readerOf(
  file: PdfFile,
  reference: PdfValue | undefined,
  maxBytes?: number,
): ReturnType<typeof unicodeReader> {
  const font = dictIn(file.resolve(reference));
  const cmap = font.get('ToUnicode');
  const codeBytes = font.get('Subtype') === 'Type0' ? 2 : 1;
  return unicodeReader(cmap === undefined ? new Uint8Array() : file.stream(cmap, maxBytes), codeBytes);
}

// ToUnicode CMaps of fonts (ISO 32000-1, 9.10.3), which map codes to characters.

/** Returns a function that decodes strings in the font. Codes that the map does not contain become undefined. */
function unicodeReader(
  cmap: Uint8Array,
  codeBytes: 1 | 2,
): (text: Uint8Array) => readonly (string | undefined)[] {
  const characters = characterMap(cmap);
  return (text) =>
    Array.from({ length: Math.ceil(text.length / codeBytes) }, (_, index) =>
      characters.get(codeOf(text.subarray(index * codeBytes, (index + 1) * codeBytes))),
    );
}

/** Returns the characters by their codes. A map of a few bytes may have `maxMappings`. */
export function characterMap(cmap: Uint8Array, maxMappings = maxFontMappings): ReadonlyMap<number, string> {
  const map = new Map<number, string>();
  const limit = Math.min(maxMappings, maxFontMappings);
  let mappings = 0;
  for (const [first, last, target] of rangesIn(cmap)) {
    if (!(first instanceof Uint8Array) || !(last instanceof Uint8Array)) continue;
    const from = codeOf(first);
    const to = Math.min(codeOf(last), from + 0xffff, from + limit - mappings);
    for (let code = from; code <= to; code += 1) addCode(map, code, { target, shift: code - from });
    mappings += Math.max(0, to - from + 1);
  }
  return map;
}

/** A font has 65,536 codes at most. A hostile map may repeat its ranges. */
const maxFontMappings = 200_000;
/** Of the characters of one code (Adobe Technical Note 5411, 1.4.1). */
const maxCharacterBytes = 512;

function* rangesIn(cmap: Uint8Array): Generator<readonly (PdfValue | undefined)[]> {
  for (const { operator, operands } of operations(cmap)) {
    if (operator === 'endbfchar')
      for (let at = 0; at + 1 < operands.length; at += 2)
        yield [operands[at], operands[at], operands[at + 1]];
    if (operator === 'endbfrange')
      for (let at = 0; at + 2 < operands.length; at += 3) yield operands.slice(at, at + 3);
  }
}

interface CodeTarget {
  /** A list of characters, or the characters of the first code of a range of consecutive characters. */
  readonly target: PdfValue | undefined;
  /** The distance of the code from the first code of its range. */
  readonly shift: number;
}

function addCode(map: Map<number, string>, code: number, { target, shift }: CodeTarget): void {
  const characters = Array.isArray(target) ? target[shift] : target;
  if (!(characters instanceof Uint8Array) || characters.length > maxCharacterBytes) return;
  const text = Buffer.from(characters.length % 2 === 0 ? characters : [])
    .swap16()
    .toString('utf16le');
  if (text.length > 0) map.set(code, shifted(text, Array.isArray(target) ? 0 : shift));
}

function shifted(text: string, shift: number): string {
  return text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + shift);
}

function codeOf(bytes: Uint8Array): number {
  return bytes.reduce((code, byte) => code * 256 + byte, 0);
}

/**
 * Inspects a printed PDF. Parses the whole file only if its structure is unexpected, for example in a future version of Chromium.
 * @throws Error if the bytes are no PDF
 */
export async function inspect(bytes: Buffer, margins?: Margins): Promise<Inspection> {
  try {
    return inspectPdf(bytes, margins);
  } catch {
    // Imported on demand, because the service's main process needs the library for nothing else (decision 37).
    const { pdfFileOf, readPdf } = await import('../finish/pdf-document.ts');
    return inspectFile(pdfFileOf(await readPdf(bytes)), margins);
  }
}
