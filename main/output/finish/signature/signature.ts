/** Adds a signature field to a document, and reserves the room for the signature in an incremental update (ISO 32000-1, 12.8). */
import { createHash } from 'node:crypto';
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRef,
  PDFString,
  type PDFPage,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { Failure } from '../../../failure/failure.ts';
import { pointsPerInch } from '../../geometry.ts';
import { addAnnotations } from '../layers/links.ts';
import { pageForms } from '../layers/page-forms.ts';
import { dictsIn, readPdf, textIn } from '../pdf-document.ts';

export interface SignatureTask {
  readonly signer: string;
  /** The time of signing by the machine's clock, as a date of PDF. */
  readonly date: string;
  readonly reason?: string;
  readonly location?: string;
  /** The number of bytes to reserve for the signature. */
  readonly maxBytes: number;
  /** Absent if the signature is invisible. */
  readonly visible?: VisibleSignature;
}

/** The appearance of a signature, and its place on a page. Lengths are in points. */
export interface VisibleSignature {
  /** A document whose first page is the appearance. */
  readonly pdf: Uint8Array;
  /** The number of the page, from 1; negative numbers count from the end. */
  readonly page: number;
  /** The distance from the left edge of the page. */
  readonly left: number;
  /** The distance from the upper edge of the page. Absent if the signature is above the lower edge. */
  readonly top?: number;
  readonly width: number;
  readonly height: number;
}

/** Room for a signature, which is written into the document in hexadecimal digits. */
export interface ReservedSignature {
  /** The digest (SHA-256) of all other bytes of the document. */
  readonly digest: Uint8Array;
  /** The position of the first digit. */
  readonly at: number;
  /** The number of digits. */
  readonly length: number;
}

const flags = { print: 4, locked: 128 } as const;
/** The document contains signatures, and changes must be appended (ISO 32000-1, table 219). */
const signatureFlags = 3;

/**
 * Adds the signature field: to its page if it is visible, or else to the first page.
 * @throws Failure valueNotAllowed if the place of a visible signature is not on a page of the document
 */
export async function addSignatureField(document: PDFDocument, { visible }: SignatureTask): Promise<void> {
  const { context, catalog } = document;
  const page = visible === undefined ? document.getPage(0) : pageOf(document, visible);
  const existing = catalog.lookup(PDFName.of('AcroForm'));
  const form = existing instanceof PDFDict ? existing : context.obj({ Fields: [] });
  const fields = form.lookup(PDFName.of('Fields'), PDFArray);
  const field = context.obj({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    T: PDFHexString.fromText(freeName(fields)),
    TU: PDFHexString.fromText('Signature'),
    F: flags.print | flags.locked,
    Rect: visible === undefined ? [0, 0, 0, 0] : rectangleOn(page, visible),
    P: page.ref,
  });
  if (visible !== undefined) {
    const appearance = pageForms(await readPdf(visible.pdf), document).at(0).ref;
    if (appearance !== undefined) field.set(PDFName.of('AP'), context.obj({ N: appearance }));
  }
  for (const reference of addAnnotations(page, [field])) fields.push(reference);
  form.set(PDFName.of('SigFlags'), PDFNumber.of(signatureFlags));
  if (form !== existing) catalog.set(PDFName.of('AcroForm'), context.register(form));
}

function pageOf(document: PDFDocument, { page }: VisibleSignature): PDFPage {
  const pages = document.getPages();
  const found = pages.at(page > 0 ? page - 1 : page);
  if (found !== undefined) return found;
  throw new Failure(
    'valueNotAllowed',
    `signature_page is ${page}, but the document has ${pages.length} ${pages.length === 1 ? 'page' : 'pages'}. Send a smaller number, or -1 for the last page.`,
  );
}

/** The distance of a signature from the lower edge of the page. */
const bottomDistance = 0.4 * pointsPerInch;

/** Returns the rectangle of the field in the space of the page. */
function rectangleOn(page: PDFPage, visible: VisibleSignature): number[] {
  const box = page.getMediaBox();
  const { left, width, height, top = box.height - height - bottomDistance } = visible;
  // Points, which are rounded in the PDF.
  const tolerance = 0.5;
  const fits =
    left + width <= box.width + tolerance && top >= -tolerance && top + height <= box.height + tolerance;
  if (!fits)
    throw new Failure(
      'valueNotAllowed',
      `The signature does not fit on the page, which is ${inches(box.width)} wide and ${inches(box.height)} high. Make signature_x, signature_y, signature_width or signature_height smaller.`,
    );
  const x = box.x + left;
  const upper = box.y + box.height - top;
  return [x, upper - height, x + width, upper];
}

function inches(points: number): string {
  return `${(points / pointsPerInch).toFixed(2)}in`;
}

function freeName(fields: PDFArray): string {
  const names = new Set(dictsIn(fields).map((field) => textIn(field, 'T')));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'Signature' : `Signature ${number}`;
    if (!names.has(name)) return name;
  }
}

/** As wide as the largest offset that a cross-reference table can contain. */
const offsetPlaceholder = 9_999_999_999;

/**
 * Appends the signature without its value to a finished document. The signature certifies the document: filling in forms and further
 * signatures are allowed, other changes invalidate it (DocMDP 2).
 */
export async function reserveSignature(
  bytes: Uint8Array,
  task: SignatureTask,
): Promise<{ readonly bytes: Uint8Array; readonly signature: ReservedSignature }> {
  const update = await updateWith(bytes, task);
  const signed = Buffer.concat([bytes, update]);
  const digits = `<${'0'.repeat(task.maxBytes * 2)}>`;
  const start = signed.indexOf(digits, bytes.length, 'latin1');
  const end = start + digits.length;
  writeRange(signed, bytes.length, [0, start, end, signed.length - end]);
  const digest = createHash('sha256').update(signed.subarray(0, start)).update(signed.subarray(end)).digest();
  return { bytes: signed, signature: { digest, at: start + 1, length: digits.length - 2 } };
}

/** Returns the incremental update: the signature, the field that refers to it, and the catalogue. */
async function updateWith(bytes: Uint8Array, task: SignatureTask): Promise<Uint8Array> {
  const { signer, date, reason, location, maxBytes } = task;
  const document = await readPdf(bytes, { forIncrementalUpdate: true });
  const { context, catalog } = document;
  const snapshot = document.takeSnapshot();
  const certification = context.obj({
    Type: 'SigRef',
    TransformMethod: 'DocMDP',
    TransformParams: { Type: 'TransformParams', P: 2, V: PDFName.of('1.2') },
  });
  const signature = context.register(
    context.obj({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: PDFName.of('ETSI.CAdES.detached'),
      ByteRange: [0, offsetPlaceholder, offsetPlaceholder, offsetPlaceholder],
      Contents: PDFHexString.of('0'.repeat(maxBytes * 2)),
      Reference: [certification],
      Name: PDFHexString.fromText(signer),
      M: PDFString.of(date),
      ...(reason !== undefined && { Reason: PDFHexString.fromText(reason) }),
      ...(location !== undefined && { Location: PDFHexString.fromText(location) }),
    }),
  );
  const [reference, field] = fieldIn(catalog);
  field.set(PDFName.of('V'), signature);
  catalog.set(PDFName.of('Perms'), context.obj({ DocMDP: signature }));
  snapshot.markRefForSave(reference);
  snapshot.markObjForSave(catalog);
  return document.saveIncremental(snapshot, { objectsPerTick: Infinity });
}

function fieldIn(catalog: PDFDict) {
  const form = catalog.lookup(PDFName.of('AcroForm'), PDFDict);
  const fields = form.lookup(PDFName.of('Fields'), PDFArray);
  const isSignature = (field: PDFObject | undefined) =>
    field instanceof PDFDict && field.get(PDFName.of('FT')) === PDFName.of('Sig');
  const index = fields.asArray().findIndex((_, position) => isSignature(fields.lookup(position)));
  const reference = fields.get(index);
  if (!(reference instanceof PDFRef)) throw new Error('The document has no signature field.');
  const field = fields.lookup(index, PDFDict);
  return [reference, field] as const;
}

/** Writes the ranges of the signed bytes over their placeholder, filled with spaces. */
function writeRange(bytes: Buffer, from: number, ranges: readonly number[]): void {
  const placeholder = `[ 0 ${offsetPlaceholder} ${offsetPlaceholder} ${offsetPlaceholder} ]`;
  const at = bytes.indexOf(placeholder, from, 'latin1');
  const text = `[ ${ranges.join(' ')}`;
  bytes.write(`${text.padEnd(placeholder.length - 1)}]`, at, 'latin1');
}
