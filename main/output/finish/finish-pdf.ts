/** Finishes a printed PDF: parses it once, runs the steps that the order contains, and writes it once. */
import type { PDFDocument } from '@cantoo/pdf-lib';
import { setDocumentInfo } from './document-info.ts';
import { addFormFields } from './form-fields/form-fields.ts';
import { shareEqualStreams } from './equal-streams.ts';
import type { ImageOptions } from './images/image-replacement.ts';
import { recompressImages } from './images/images.ts';
import type { Finished, FinishOrder, StripsOrder } from './order.ts';
import { makeRelative, correctPlaces } from './layers/links.ts';
import { paintPages } from './layers/page-colours.ts';
import { layOnPaper } from './layers/place-pages.ts';
import { readPdf, writePdf, prune } from './pdf-document.ts';
import { runQpdf } from './qpdf.ts';
import { relinkOutline } from './select/select-outline.ts';
import { selectPages } from './select/select-pages.ts';
import { stampPages } from './stamps/stamps.ts';
import { layStrips, type Place } from './layers/strips.ts';
import { setViewer } from './viewer.ts';

interface Work {
  readonly document: PDFDocument;
  readonly notes: string[];
}

type Part = Exclude<keyof FinishOrder, 'printed' | 'protection'>;

interface Step {
  readonly name: string;
  /** The part of the order that the step needs; without it, the step is skipped. */
  readonly part: Part;
  readonly perform: (work: Work, order: FinishOrder) => void | Promise<void>;
}

function step<P extends Part>(
  name: string,
  part: P,
  perform: (work: Work, asked: NonNullable<FinishOrder[P]>) => void | Promise<void>,
): Step {
  const performAsked = (work: Work, order: FinishOrder) => {
    const asked = order[part];
    return asked === undefined ? undefined : perform(work, asked);
  };
  return { name, part, perform: performAsked };
}

/** In this order: first steps that depend on positions, then page moves and removals; layers over the content before those under it. */
const steps: readonly Step[] = [
  step('correct the places of links', 'places', ({ document }, printed) => {
    correctPlaces(document, printed);
  }),
  step('lay the pages on their paper', 'placement', ({ document }, placement) => {
    layOnPaper(document, placement);
  }),
  step('link the outline', 'outline', ({ document }) => {
    relinkOutline(document);
  }),
  step('select the pages', 'kept', ({ document }, kept) => {
    selectPages(document, kept);
  }),
  step('make the fields of the form', 'form', ({ document }, fields) => {
    addFormFields(document, fields);
  }),
  step('lay headers and footers on the pages', 'strips', layAllStrips),
  step('make links relative', 'ownLinks', ({ document }) => {
    makeRelative(document);
  }),
  step('lay watermarks and backgrounds on the pages', 'stamps', ({ document }, stamps) =>
    stampPages(document, stamps),
  ),
  step('colour the pages', 'colours', ({ document }, colours) => {
    paintPages(document, (index) => colours[index]);
  }),
  step('recompress images', 'images', recompress),
  step('write the document information', 'info', ({ document }, info) => {
    setDocumentInfo(document, info);
  }),
  step('set the viewer', 'viewer', ({ document }, options) => {
    setViewer(document, options);
  }),
];

/** @throws Failure for files from the caller that cannot be used */
export async function finishPdf(order: FinishOrder): Promise<Finished> {
  const stages: { name: string; took: number }[] = [];
  const timed = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await work();
    stages.push({ name, took: Math.round((performance.now() - began) * 10) / 10 });
    return result;
  };
  const notes: string[] = [];
  let bytes = order.printed;
  const asked = steps.filter(({ part }) => order[part] !== undefined);
  if (asked.length > 0) {
    const document = await timed('read the printed PDF', () => readPdf(bytes));
    for (const { name, perform } of asked) await timed(name, () => perform({ document, notes }, order));
    bytes = await timed('write the PDF', async () => {
      // pdf-lib embeds fonts only on writing.
      await document.flush();
      prune(document);
      return writePdf(document);
    });
  }
  const { protection } = order;
  if (protection !== undefined)
    bytes = await timed('encrypt and linearize', () => runQpdf(bytes, protection));
  return { bytes, stages, notes };
}

async function layAllStrips({ document }: Work, strips: readonly StripsOrder[]): Promise<void> {
  for (const { kind, pdf, places } of strips) {
    const byPage: (Place | undefined)[] = document.getPages().map(() => undefined);
    for (const { page, strip, edge, offset, left, width, height, matrix } of places) {
      const paper = document.getPage(page).getHeight();
      const bottom = edge === 'bottom' ? offset : paper - offset - height;
      byPage[page] = { page: strip, left, bottom, width, height, ...(matrix && { matrix }) };
    }
    await layStrips(document, { kind, pdf, places: byPage });
  }
  if (strips.length > 1) shareEqualStreams(document);
}

async function recompress({ document, notes }: Work, options: ImageOptions): Promise<void> {
  const report = await recompressImages(document, options);
  const { images, changed, scaled, bytesBefore, bytesAfter } = report;
  notes.push(
    `Images: ${changed} of ${images} recompressed, ${scaled} scaled down; ${bytesBefore} bytes became ${bytesAfter}.`,
  );
}
