/** The pages of a file a caller sent to be laid over or under others, whatever its format. */
import type { PDFDocument } from '@cantoo/pdf-lib';
import { type PDFRef } from '@cantoo/pdf-lib';
import { Failure } from '../../../failure/failure.ts';
import type { Matrix, Size } from '../../geometry.ts';
import { readPdf } from '../pdf-document.ts';
import { pageForms, type PageForm } from '../layers/page-forms.ts';
import { mostPixels, openPictures, textInDrawing, type Picture } from './pictures.ts';

/** A page or a picture. */
export interface Sheet extends Size {
  /** Undefined for an empty page. */
  readonly xobject: PDFRef | undefined;
  /** From the object's space to the unit square. */
  readonly toUnit: Matrix;
  /** Has a size of its own, in points; of a picture only the shape counts. */
  readonly isPaper: boolean;
}

export interface Sheets {
  readonly count: number;
  /** Embedded when it is first asked for. @throws Failure valueNotAllowed */
  readonly at: (index: number) => Promise<Sheet>;
}

export interface StampFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** @throws Failure valueNotAllowed when the file is neither a PDF document nor a picture, or cannot be read. */
export async function openStamp(document: PDFDocument, file: StampFile, page: Size): Promise<Sheets> {
  if (file.bytes.length === 0)
    throw new Failure(
      'valueNotAllowed',
      `The file of ${file.name} is empty; send a PDF document or an image.`,
    );
  const sheets = isPdf(file.bytes) ? await openPdf(document, file) : await openImage(document, file, page);
  const made = new Map<number, Promise<Sheet>>();
  return {
    count: sheets.count,
    at(index) {
      const sheet = made.get(index) ?? sheets.at(index);
      made.set(index, sheet);
      return sheet;
    },
  };
}

/** The mark may have other bytes before it, as readers allow (ISO 32000-1, annex H, implementation note 13). */
function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}

async function openPdf(document: PDFDocument, file: StampFile): Promise<Sheets> {
  const forms = await refusing(file, pdfProblem, async () => {
    // Readers mend what is cut short, by leaving out what is missing.
    if (!Buffer.from(file.bytes.subarray(-2048)).includes('%%EOF')) throw new Error('The file is cut short.');
    const source = await readPdf(file.bytes);
    if (source.getPageCount() === 0) throw new Error('The document has no pages.');
    return pageForms(source, document);
  });
  return {
    count: forms.count,
    at: (index) => refusing(file, pdfProblem, () => Promise.resolve(paperOf(forms.at(index)))),
  };
}

function paperOf({ width, height, ref }: PageForm): Sheet {
  return { width, height, xobject: ref, toUnit: [1 / width, 0, 0, 1 / height, 0, 0], isPaper: true };
}

/** An empty password has been tried: documents that only forbid printing or changes open with it. */
function pdfProblem(cause: unknown): string {
  return String(cause).includes('NEEDS PASSWORD')
    ? 'is a PDF document that opens only with a password; send it without one'
    : 'is a damaged PDF document; save it anew with a PDF program and send that';
}

async function openImage({ context }: PDFDocument, file: StampFile, page: Size): Promise<Sheets> {
  const pictures = await refusing(file, imageProblem, () => openPictures(context, file.bytes, page));
  return {
    count: pictures.count,
    at: (index) =>
      refusing(
        file,
        () => damagedImage,
        async () => pictureOf(await pictures.at(index)),
      ),
  };
}

function pictureOf({ width, height, ref }: Picture): Sheet {
  return { width, height, xobject: ref, toUnit: [1, 0, 0, 1, 0, 0], isPaper: false };
}

const damagedImage = 'is a damaged image; save it anew with an image program and send that';

function imageProblem(cause: unknown): string {
  if (String(cause).includes('pixel limit'))
    return `is an image of more than ${mostPixels / 1e6} million pixels; send a smaller one`;
  if (String(cause).includes(textInDrawing))
    return 'is an SVG drawing with text, which needs fonts; turn the text into paths, or send it as a PDF';
  if (String(cause).includes('unsupported image format'))
    return 'is neither a PDF document nor an image; send a PDF, PNG, JPEG, WebP, GIF, TIFF, SVG or AVIF file';
  return damagedImage;
}

/** What the library has to say is for the log alone. */
async function refusing<T>(
  { name }: StampFile,
  problemOf: (cause: unknown) => string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Failure('valueNotAllowed', `The file of ${name} ${problemOf(cause)}.`, { cause });
  }
}
