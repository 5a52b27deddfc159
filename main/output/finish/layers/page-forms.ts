/** Converts pages of another document to form XObjects of this document. */
import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFObjectCopier,
  PDFRawStream,
  PDFStream,
  PDFNumber,
  type PDFDocument,
  type PDFObject,
  type PDFPage,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { deflateSync } from '../../../async/thread-zlib.ts';
import { overlap, type Matrix, type Size, type Box } from '../../geometry.ts';
import { bufferOf } from '../../../input/bytes.ts';
import { StreamTooLarge } from '../../pdf-reader/inflate.ts';
import { bytesOf, isFlate } from '../pdf-document.ts';

/** A page as a form XObject. The space of the form is the displayed page, in points from its lower left corner. */
export interface PageForm extends Size {
  readonly page: PDFPage;
  /** Maps the user space of the page to the displayed page. */
  readonly fromUser: Matrix;
  /** Undefined if the page is empty. */
  readonly ref: PDFRef | undefined;
}

export interface PageForms {
  readonly count: number;
  /** Returns the form of a page, created on first use. @throws Error if the page is damaged or does not exist */
  readonly at: (index: number) => PageForm;
  /** Copies another object of the source, such as an annotation. */
  readonly copy: <T extends PDFObject>(object: T) => T;
}

type Decoder = (stream: PDFRawStream) => Uint8Array;

interface FormLimits {
  /** Reads content streams. */
  readonly decode?: Decoder;
  /** Limits the compressed content of all forms together. Pages may share a stream, and each form contains a copy of it. */
  readonly maxBytes?: number;
}

/**
 * Opens the pages of `source` as forms in `target`. Copies shared objects such as fonts once. Changes `source`: do not use it
 * later. `at` throws StreamTooLarge above `maxBytes`.
 */
export function pageForms(
  source: PDFDocument,
  target: PDFDocument,
  { decode = (stream) => bytesOf(stream), maxBytes = Infinity }: FormLimits = {},
): PageForms {
  const copier = PDFObjectCopier.for(source.context, target.context);
  const pages = source.getPages();
  const formByIndex = new Map<number, PageForm>();
  const resourcesOf = resourceCopier(copier, target);
  let bytesLeft = maxBytes;
  const contentOf = (page: PDFPage) => {
    const content = compressedContent(page, decode);
    bytesLeft -= content?.length ?? 0;
    if (bytesLeft < 0) throw new StreamTooLarge();
    return content;
  };
  removeStructureNumbers(source);
  return {
    count: pages.length,
    copy: copier.copy,
    at(index) {
      const page = pages[index];
      if (page === undefined) throw new Error(`The document has no page ${index + 1}.`);
      const form = formByIndex.get(index) ?? formOf(page, { target, contentOf, resourcesOf });
      formByIndex.set(index, form);
      return form;
    },
  };
}

/**
 * Removes the numbers that refer to the structure tree (ISO 32000-1, 14.7.4). The tree is not copied, so in the target document
 * they would refer to other elements. Some readers also treat numbers in a form as those of the page.
 */
function removeStructureNumbers({ context }: PDFDocument): void {
  for (const [, object] of context.enumerateIndirectObjects()) {
    const dict = object instanceof PDFStream ? object.dict : object;
    if (!(dict instanceof PDFDict)) continue;
    for (const key of ['StructParents', 'StructParent', 'MCID']) dict.delete(PDFName.of(key));
    const resources = dict.lookup(PDFName.of('Resources'));
    if (resources instanceof PDFDict) removePropertyNumbers(resources);
  }
}

/** Removes numbers from the properties in the resources, to which marked content may refer (ISO 32000-1, 14.6.2). */
function removePropertyNumbers(resources: PDFDict): void {
  const properties = resources.lookup(PDFName.of('Properties'));
  if (!(properties instanceof PDFDict)) return;
  for (const name of properties.keys()) {
    const property = properties.lookup(name);
    if (property instanceof PDFDict) property.delete(PDFName.of('MCID'));
  }
}

/**
 * Returns a function that copies the resources of a page. Pages may have the same resources, such as inherited ones: the first form
 * contains the copy, and the others refer to it.
 */
function resourceCopier(copier: PDFObjectCopier, { context }: PDFDocument): FormOptions['resourcesOf'] {
  const copied = new Set<PDFDict>();
  const shared = new Map<PDFDict, PDFRef>();
  return (page) => {
    const resources = page.node.Resources();
    if (resources === undefined) return context.obj({});
    const copy = copier.copy(resources);
    if (!copied.has(resources)) {
      copied.add(resources);
      return copy;
    }
    const reference = shared.get(resources) ?? context.register(copy);
    shared.set(resources, reference);
    return reference;
  };
}

interface FormOptions {
  readonly target: PDFDocument;
  /** Returns the compressed content of a page; undefined if it has no operators. */
  readonly contentOf: (page: PDFPage) => Uint8Array | undefined;
  readonly resourcesOf: (page: PDFPage) => PDFDict | PDFRef;
}

function formOf(page: PDFPage, { target: { context }, contentOf, resourcesOf }: FormOptions): PageForm {
  const { width, height, box, fromUser } = frameOf(page);
  const content = contentOf(page);
  const frame = { page, width, height, fromUser };
  if (content === undefined) return { ...frame, ref: undefined };
  const form = context.stream(content, {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [box.left, box.bottom, box.left + box.width, box.bottom + box.height],
    Matrix: [...fromUser],
    Resources: resourcesOf(page),
    Filter: 'FlateDecode',
  });
  return { ...frame, ref: context.register(form) };
}

/** Longer compressed content is not checked for operators. The content of an empty page in Chromium has 8 compressed bytes. */
const maxBlankBytes = 64;

/**
 * Returns the content of a page, compressed with Flate; undefined if it has no operators. Keeps the compressed bytes if possible,
 * because recompression is slow.
 */
function compressedContent(page: PDFPage, decode: Decoder): Uint8Array | undefined {
  const streams = streamsOf(page);
  const [onlyStream] = streams;
  const compressed =
    streams.length === 1 && onlyStream !== undefined && isFlate(onlyStream) ? onlyStream.contents : undefined;
  const isTagged = page.doc.catalog.has(PDFName.of('StructTreeRoot'));
  if (compressed !== undefined && compressed.length > maxBlankBytes && !isTagged) return compressed;
  // Streams end between tokens, so they can be joined with whitespace (ISO 32000-1, 7.8.2).
  const content = untagged(streams.map((stream) => bufferOf(decode(stream)).toString('latin1')).join('\n'));
  if (/^[\0\s]*$/.test(content)) return undefined;
  return deflateSync(Buffer.from(content, 'latin1'));
}

/** Replaces the numbers that refer to structure elements with spaces. */
export function untagged(content: string): string {
  return content.replace(/\/MCID\s+\d+(?=[^<>]{0,200}>>\s*BDC)/g, (number) => ' '.repeat(number.length));
}

function streamsOf({ node, doc }: PDFPage): PDFRawStream[] {
  const entry = node.get(PDFName.of('Contents'));
  const contents = doc.context.lookup(entry);
  // Contents are optional (ISO 32000-1, 7.7.3.3).
  const streams = contents instanceof PDFArray ? contents.asArray() : entry === undefined ? [] : [entry];
  return streams
    .map((stream) => doc.context.lookup(stream))
    .map((stream) => {
      if (stream instanceof PDFRawStream) return stream;
      throw new Error('A content stream of the page is missing.');
    });
}

// Content operators as text. PDF numbers have no exponents (ISO 32000-1, 7.3.3).

export function matrixOperator(matrix: Matrix): string {
  return `${matrix.map(formatNumber).join(' ')} cm`;
}

export function rectangle({ left, bottom, width, height }: Box): string {
  return `${[left, bottom, width, height].map(formatNumber).join(' ')} re`;
}

/** Clips to the box until the next Q. */
export function clipTo(box: Box): string {
  return `${rectangle(box)} W n`;
}

export function formatNumber(value: number): string {
  return String(Number(value.toFixed(6)));
}

// The displayed page: cropped, rotated, in points from its lower left corner.

interface PageFrame extends Size {
  /** Maps user space to the displayed page. */
  readonly fromUser: Matrix;
  /** The visible part of user space. */
  readonly box: Box;
}

/** Applies CropBox, Rotate and UserUnit (ISO 32000-1, 7.7.3.3 and 14.11.2). @throws Error if the page has no area */
export function frameOf({ node }: PDFPage): PageFrame {
  const media = boxOf(node.MediaBox());
  const crop = node.CropBox();
  const box = crop === undefined ? media : (overlap(boxOf(crop), media) ?? media);
  if (!(box.width > 0 && box.height > 0)) throw new Error('The page has no size.');
  const unit = node.lookup(PDFName.of('UserUnit'));
  const scale = unit instanceof PDFNumber && unit.asNumber() > 0 ? unit.asNumber() : 1;
  const turn = (((node.Rotate()?.asNumber() ?? 0) % 360) + 360) % 360;
  const width = box.width * scale;
  const height = box.height * scale;
  const size = turn % 180 === 90 ? { width: height, height: width } : { width, height };
  const [a, b, c, d, e, f] = rotationMatrix(box, turn);
  return { ...size, box, fromUser: [a * scale, b * scale, c * scale, d * scale, e * scale, f * scale] };
}

/** Returns the matrix for a clockwise rotation by `turn` degrees. Ignores angles other than quarter turns, as viewers do. */
function rotationMatrix({ left, bottom, width, height }: Box, turn: number): Matrix {
  const right = left + width;
  const top = bottom + height;
  if (turn === 90) return [0, -1, 1, 0, -bottom, right];
  if (turn === 180) return [-1, 0, 0, -1, right, top];
  if (turn === 270) return [0, 1, -1, 0, top, -left];
  return [1, 0, 0, 1, -left, -bottom];
}

/** Returns the box of a PDF rectangle, which is given by two opposite corners in any order (ISO 32000-1, 7.9.5). */
export function boxOf(rectangle: PDFArray): Box {
  const [x1, y1, x2, y2] = [0, 1, 2, 3].map((index) => rectangle.lookup(index, PDFNumber).asNumber()) as [
    number,
    number,
    number,
    number,
  ];
  const left = Math.min(x1, x2);
  const bottom = Math.min(y1, y2);
  return { left, bottom, width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
}
