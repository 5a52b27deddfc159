/** Finishes a printed PDF: parses it once, performs the steps of the task, and writes it once. */
import { readFile } from 'node:fs/promises';
import type { PDFDocument, PDFRef } from '@cantoo/pdf-lib';
import type { FormField } from '../../engine/page-scripts/controls/form-field.ts';
import { attachFiles } from './attachments/attach-files.ts';
import { readInvoice, type Invoice } from './attachments/invoice.ts';
import { setDocumentInfo } from './document-info.ts';
import { addFormFields } from './form-fields/form-fields.ts';
import { shareEqualStreams } from './equal-streams.ts';
import type { ImageReplacementOptions } from './images/image-replacement.ts';
import { restoreJpegs } from './images/cropped-jpegs.ts';
import { recompressImages } from './images/images.ts';
import type {
  AttachmentTask,
  FinishNote,
  FinishResult,
  FinishTask,
  HeaderFooterTask,
} from './finish-task.ts';
import { makeLinksRelative, correctDestinations } from './layers/links.ts';
import { paintPages } from './layers/page-colours.ts';
import { placeOnPaper } from './layers/place-pages.ts';
import { readPdf, writePdf, prune } from './pdf-document.ts';
import { identifyFile, renumberElements } from './reproducible.ts';
import { runQpdf } from './qpdf.ts';
import { addSignatureField, reserveSignature } from './signature/signature.ts';
import { conformToStandards, type StandardTask } from './standards/conform.ts';
import { Failure } from '../../failure/failure.ts';
import { bufferOf } from '../../input/bytes.ts';
import { sizesOf } from '../pdf-reader/sizes.ts';
import { correctTitles } from './outline-titles.ts';
import { relinkOutline } from './select/select-outline.ts';
import { selectPages } from './select/select-pages.ts';
import { replaceFunctionShadings } from './shadings/function-shadings.ts';
import { stampPages } from './stamps/stamps.ts';
import { placeHeaderFooter, type PlacedHeaderFooter } from './layers/header-footer.ts';
import { setViewer } from './viewer.ts';

interface FinishWork {
  readonly document: PDFDocument;
  readonly notes: FinishNote[];
  /** The form fields in the document, by their widgets. */
  fields: ReadonlyMap<PDFRef, FormField>;
  /** The e-invoice in the document. */
  invoice: Invoice | undefined;
}

type TaskPart = Exclude<keyof FinishTask, 'printed' | 'protection' | 'measuresSizes'>;

interface FinishStep {
  readonly name: string;
  /** The part of the task that the step needs; without it, the step is skipped. */
  readonly part: TaskPart;
  readonly perform: (work: FinishWork, task: FinishTask) => void | Promise<void>;
}

function step<P extends TaskPart>(
  name: string,
  part: P,
  perform: (work: FinishWork, input: NonNullable<FinishTask[P]>, task: FinishTask) => void | Promise<void>,
): FinishStep {
  const performIfPresent = (work: FinishWork, task: FinishTask) => {
    const input = task[part];
    return input === undefined ? undefined : perform(work, input, task);
  };
  return { name, part, perform: performIfPresent };
}

/**
 * The steps in their order. Steps that depend on printed positions run first, then those that move and remove pages. Layers over
 * the content are added before those under it.
 */
const steps: readonly FinishStep[] = [
  step('cut the pages to their paper', 'pageWidths', ({ document }, widths) => {
    for (const [index, page] of document.getPages().entries()) {
      const width = widths[index];
      if (width !== undefined) page.setMediaBox(0, 0, width, page.getHeight());
    }
  }),
  step('restore JPEG images', 'jpegs', async ({ document }, jpegs) => {
    await restoreJpegs(document, jpegs);
  }),
  step('correct link destinations', 'printedAt', ({ document }, printedAt) => {
    correctDestinations(document, printedAt);
  }),
  step('place the pages on their paper', 'placement', ({ document }, placement) => {
    placeOnPaper(document, placement);
  }),
  step('link the outline', 'headings', ({ document }, headings) => {
    relinkOutline(document);
    correctTitles(document, headings);
  }),
  step('select the pages', 'keptPages', ({ document }, keptPages) => {
    selectPages(document, keptPages);
  }),
  step('add form fields', 'formFields', async (work, fields, { standard }) => {
    const embedsFont = standard !== undefined;
    work.fields = await addFormFields(work.document, fields, { embedsFont });
  }),
  step('add headers and footers', 'headersAndFooters', placeHeadersAndFooters),
  step('replace gradients', 'hasFunctionShadings', ({ document }) => {
    replaceFunctionShadings(document);
  }),
  step('make links relative', 'hasInternalLinks', ({ document }) => {
    makeLinksRelative(document);
  }),
  step('add watermarks and backgrounds', 'stamps', ({ document }, stamps) => stampPages(document, stamps)),
  step('colour the pages', 'colours', ({ document }, colours) => {
    paintPages(document, (index) => colours[index]);
  }),
  step('recompress images', 'images', recompress),
  step('write the document information', 'info', ({ document }, info) => {
    setDocumentInfo(document, info);
  }),
  step('set the viewer options', 'viewer', ({ document }, options) => {
    setViewer(document, options);
  }),
  step('attach the files', 'attachments', attach),
  step('add the signature field', 'signature', ({ document }, signature) =>
    addSignatureField(document, signature),
  ),
  step('conform to the standard', 'standard', conform),
  step('number the structure', 'isReproducible', ({ document }) => {
    renumberElements(document);
  }),
];

/**
 * Performs the task.
 * @throws Failure if a watermark or background file of the caller cannot be used; standardNotMet if the document cannot conform
 */
export async function finishPdf(task: FinishTask): Promise<FinishResult> {
  const stages: { name: string; took: number }[] = [];
  const timed = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await work();
    stages.push({ name, took: Math.round((performance.now() - began) * 10) / 10 });
    return result;
  };
  const notes: FinishNote[] = [];
  let bytes = task.printed;
  const activeSteps = steps.filter(({ part }) => task[part] !== undefined);
  if (activeSteps.length > 0) {
    const document = await timed('read the printed PDF', () => readPdf(bytes));
    const work: FinishWork = { document, notes, fields: new Map(), invoice: undefined };
    for (const { name, perform } of activeSteps) await timed(name, () => perform(work, task));
    bytes = await timed('write the PDF', async () => {
      // pdf-lib embeds fonts only in `flush`, and `prune` must find them in the document.
      await document.flush();
      prune(document);
      // The identifier depends on all other objects. PDF/A requires one (ISO 19005-2, 6.1.3).
      if (task.standard !== undefined) identifyFile(document);
      return writePdf(document);
    });
  }
  const { protection } = task;
  if (protection !== undefined)
    bytes = await timed('encrypt and linearize', () => runQpdf(bytes, protection));
  const { signature } = task;
  const finished =
    signature === undefined
      ? { bytes }
      : await timed('reserve room for the signature', () => reserveSignature(bytes, signature));
  const sizes = task.measuresSizes && sizesOf(bufferOf(finished.bytes));
  return { ...finished, stages, notes, ...(sizes && { sizes }) };
}

async function placeHeadersAndFooters(
  { document }: FinishWork,
  tasks: readonly HeaderFooterTask[],
): Promise<void> {
  for (const { kind, pdf, positions } of tasks) {
    const placesByPage: (PlacedHeaderFooter | undefined)[] = document.getPages().map(() => undefined);
    for (const { page, sourcePage, edge, offset, left, width, height, matrix } of positions) {
      const pageHeight = document.getPage(page).getHeight();
      const bottom = edge === 'bottom' ? offset : pageHeight - offset - height;
      placesByPage[page] = { page: sourcePage, left, bottom, width, height, ...(matrix && { matrix }) };
    }
    await placeHeaderFooter(document, { kind, pdf, places: placesByPage });
  }
  if (tasks.length > 1) shareEqualStreams(document);
}

async function attach(
  work: FinishWork,
  { files: paths, invoice: invoicePath }: AttachmentTask,
): Promise<void> {
  const files = await Promise.all(
    paths.map(async ({ path, ...file }) => ({ ...file, bytes: await readFile(path) })),
  );
  if (invoicePath === undefined) {
    attachFiles(work.document, files);
    return;
  }
  const xml = await readFile(invoicePath);
  const invoice = await readInvoice(xml);
  const { fileName, relationship, conformanceLevel } = invoice;
  if (files.some(({ name }) => name === fileName))
    throw new Failure(
      'valueNotAllowed',
      `An attachment is named ${fileName}, which is the name of the e-invoice in the document. Rename the attachment.`,
    );
  const description = `E-invoice, profile ${conformanceLevel}`;
  const invoiceFile = {
    name: fileName,
    contentType: 'application/xml',
    relationship,
    description,
    bytes: xml,
  };
  attachFiles(work.document, [invoiceFile, ...files]);
  work.invoice = invoice;
}

async function recompress({ document, notes }: FinishWork, options: ImageReplacementOptions): Promise<void> {
  const report = await recompressImages(document, options);
  const { images, changed, scaled, bytesBefore, bytesAfter } = report;
  notes.push({
    topic: 'images',
    text: `Images: ${changed} of ${images} recompressed, ${scaled} scaled down; ${bytesBefore} bytes before, ${bytesAfter} bytes after.`,
  });
}

async function conform(
  { document, notes, fields, invoice }: FinishWork,
  standard: StandardTask,
): Promise<void> {
  // pdf-lib embeds fonts only in `flush`, and they are checked too.
  await document.flush();
  const { unmet, reasons, removals } = conformToStandards(document, standard, { fields, invoice });
  for (const text of removals) notes.push({ topic: 'removed for a standard', text });
  if (reasons.length === 0) return;
  if (standard.isStrict)
    throw new Failure(
      'standardNotMet',
      `The document cannot conform to ${unmet}: ${reasons.join('; ')}. To get the document without this claim, send pdf_standard_strict=false.`,
    );
  for (const reason of reasons)
    notes.push({ topic: 'standard not met', text: `The document does not conform to ${unmet}: ${reason}.` });
}
