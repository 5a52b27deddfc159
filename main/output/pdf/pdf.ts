/** Produces a PDF: prints the page, then its headers and footers, and sends the result to a finishing thread. */
import { lookup } from 'mime-types';
import { callInPage } from '../../engine/devtools/evaluate.ts';
import type { WindowRun } from '../../engine/window-run.ts';
import type { FormField } from '../../engine/page-scripts/controls/form-field.ts';
import {
  markFormFields,
  markPictures,
  readSnapshot,
  type PageSnapshot,
} from '../../engine/devtools/print-marks.ts';
import { diagnosePage, type OutputConditions } from '../../engine/diagnostics/page-diagnostics.ts';
import { noteOversized, oversizedCauses } from '../../engine/diagnostics/oversized-document.ts';
import { diagnosePrint, type PrintFacts } from '../../engine/diagnostics/print-diagnostics.ts';
import type { Page } from '../../engine/page.ts';
import { pixelsPerInch, setupsOfPages } from '../../job/layout.ts';
import type { PageRuleBox, PageRulePaper } from '../../job/page-rule-paper.ts';
import { hasHeaderFooter } from '../../job/paper.ts';
import type { Finisher } from '../finish/finisher.ts';
import type { FinishResult, FinishTask } from '../finish/finish-task.ts';
import { pointsPerInch } from '../geometry.ts';
import { noteLayout, noteSizes } from '../note-layout.ts';
import { checkOutputSize, type Output, type OutputDependencies } from '../output.ts';
import {
  readPageFacts,
  type PdfPageFacts,
  type PositioningBox,
  printHeadersAndFooters,
} from '../header-footer/lay-out.ts';
import { jpegFilesOf } from './jpeg-files.ts';
import { loadStamps } from './load-stamps.ts';
import { printBody, type PrintedBody } from './print-body.ts';
import { selectOutputPages, type OutputPages } from './output-pages.ts';
import { planPrint, printedAt } from './print-plan.ts';
import type { PdfA } from '../finish/standards/pdf-a.ts';
import type { Upload } from '../../job/option-kinds.ts';
import type { Options } from '../../job/options.ts';
import { encryptionOptionsIn, hasOutline, isAccessible, pdfAIn, standardsOf } from '../../job/rules.ts';
import { bufferOf, includesText } from '../../input/bytes.ts';

/**
 * @throws Failure tooComplex if the page cannot be printed or the PDF is too large; valueNotAllowed for an option that does not fit
 * the printed document
 */
export async function producePdf(
  page: Page,
  run: WindowRun,
  { finisher, maxOutputBytes, signer }: OutputDependencies,
): Promise<Output> {
  const signature = run.job.options.sign ? await signer.prepare(run.job.account) : undefined;
  const facts = await readFactsIfNeeded(page, run);
  const diagnostics = await diagnosePage(page, run, printConditions(page, run));
  const formFields = await markFormIfNeeded(page, run);
  if (isAccessible(run.job.options)) await run.log.timeStage('mark the pictures', () => markPictures(page));
  const body = await printBody(page, run);
  const snapshot = await readSnapshotIfNeeded(page, run);
  noteLayout(page, body, run);
  await diagnosePrint(page, run, { diagnostics, pages: printFactsOf(body, page.ownPaper) });
  const selection = await selectOutputPages(run.job.options, body.inspection);
  if (selection.blank.length > 0)
    run.log.note(removedPagesNote(selection.blank), {
      code: 'blank-pages-removed',
      options: ['remove_blank_pages'],
    });
  const causes = await oversizedCauses(page, body.bytes, run);
  const task: FinishTask = {
    ...(await taskFor(body, selection, run)),
    ...(hasOutline(run.job.options) && { headings: await headingsOf(page) }),
    ...(formFields.length > 0 && { formFields }),
    ...(await jpegsOf(page, body)),
    ...(await headerFooterAndStamps(page, { selection, facts, run, body })),
    ...documentOptions(run.job.options, facts, snapshot),
    ...attachmentsOf(run.job.options),
    ...(signature && { signature: await signature.prepareTask(page.window, run) }),
    ...((run.log.isRecorded || causes !== undefined) && { measuresSizes: true as const }),
  };
  const { bytes, signature: room, sizes } = await finish(task, run, finisher);
  if (signature !== undefined) {
    if (room === undefined) throw new Error('The finished document has no room for its signature.');
    await run.log.timeStage('sign the document', () => signature.sign(bytes, room, run));
  }
  checkOutputSize(maxOutputBytes, bytes.length, run.job.options);
  if (sizes !== undefined) noteSizes(sizes, run);
  if (sizes !== undefined && causes !== undefined) noteOversized(sizes, causes, run);
  const pages = { printed: selection.kept.length, total: selection.total };
  return { bytes, contentType: 'application/pdf', pages };
}

/** Returns a sentence such as `Pages 2, 4 and 5 are blank and were removed.` */
function removedPagesNote(pages: readonly number[]): string {
  if (pages.length === 1) return `Page ${pages.join()} is blank and was removed.`;
  return `Pages ${pages.slice(0, -1).join(', ')} and ${pages.slice(-1).join()} are blank and were removed.`;
}

/** Reads the JPEG files of the page before its window prints headers and footers. */
async function jpegsOf(page: Page, { bytes }: PrintedBody): Promise<Partial<FinishTask>> {
  const jpegs = await jpegFilesOf(page, bytes);
  return jpegs.length > 0 ? { jpegs } : {};
}

/** The resolution of common printers. */
const printerDpi = 300;

function printConditions(page: Page, { job: { options } }: WindowRun): OutputConditions {
  const { scale, page: printed } = planPrint(options, page);
  const { paper, margins } = printed;
  return {
    density: (scale * printerDpi) / pixelsPerInch,
    print: {
      pageWidth: ((paper.width - margins.left - margins.right) * pixelsPerInch) / scale,
      pageHeight: ((paper.height - margins.top - margins.bottom) * pixelsPerInch) / scale,
      hasBackgrounds: !options.no_background,
      // Only macOS has dictionaries.
      hasHyphenation: process.platform === 'darwin',
    },
  };
}

/** Returns the size of the print area in CSS pixels, and the number of pages. Returns undefined if the pages may differ in size. */
function printFactsOf(
  { plan: { settings, page, placement }, inspection }: PrintedBody,
  rulePaper?: PageRulePaper,
): PrintFacts | undefined {
  const { scale, pageSettings } = settings;
  if (pageSettings !== undefined || (rulePaper?.isNative === true && rulePaper.varies)) return undefined;
  const { paper, margins } = placement === undefined ? page : settings;
  const pixels = (inches: number) => (inches * pixelsPerInch) / scale;
  return {
    width: Math.round(pixels(paper.width - margins.left - margins.right)),
    height: pixels(paper.height - margins.top - margins.bottom),
    count: inspection.pages,
  };
}

/** Marks the form fields in the page. This changes the page, so it is the last step before printing. */
async function markFormIfNeeded(page: Page, run: WindowRun): Promise<readonly FormField[]> {
  if (!run.job.options.enable_pdf_forms) return [];
  return run.log.timeStage('find the controls of forms', () => markFormFields(page));
}

const maxHeadings = 10_000;
const maxHeadingLength = 300;

async function headingsOf({ window }: Page): Promise<readonly string[]> {
  return callInPage(window.contents, headingTexts, maxHeadings, maxHeadingLength);
}

/** Runs inside the page, and is sent as its source text. */
function headingTexts(maxCount: number, maxLength: number): string[] {
  const headings = document.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6, [role="heading"]');
  return [...headings]
    .slice(0, maxCount)
    .map(({ innerText }) => innerText.replace(/\s+/g, ' ').trim().slice(0, maxLength));
}

/** Reads the nodes of the printed page for PDF/UA, after printing has filled in the page references. */
async function readSnapshotIfNeeded(page: Page, run: WindowRun): Promise<PageSnapshot | undefined> {
  if (!isAccessible(run.job.options)) return undefined;
  return run.log.timeStage('read the structure of the page', () => readSnapshot(page));
}

const noFacts: PdfPageFacts = { title: '', url: '', metas: {} };

async function readFactsIfNeeded(page: Page, { job: { options } }: WindowRun): Promise<PdfPageFacts> {
  const needed =
    hasHeaderFooter(options, 'header') || hasHeaderFooter(options, 'footer') || options.extract_meta_tags;
  return needed ? readPageFacts(page) : noFacts;
}

async function taskFor(
  { bytes, inspection, plan, boxes }: PrintedBody,
  { kept, numbers, total }: OutputPages,
  run: WindowRun,
): Promise<FinishTask> {
  const { options } = run.job;
  const setups = setupsOfPages(options, total);
  const colours = numbers.map((page) => setups[page - 1]?.backgroundColor ?? options.page_background_color);
  return {
    printed: bytes,
    ...(inspection.hasNamedDestinations && { printedAt: printedAt(plan, inspection.pages, boxes) }),
    ...(boxes?.some(isPrintedWider) && { pageWidths: boxes.map(widthInPoints) }),
    ...((await includesText(bytes, 'platen://job/')) && { hasInternalLinks: true as const }),
    ...(plan.placement && { placement: plan.placement }),
    ...(kept.length < inspection.pages && { keptPages: kept.map((page) => page - 1) }),
    ...(colours.some((colour) => colour !== undefined) && { colours }),
  };
}

function isPrintedWider(box: PageRuleBox | undefined): boolean {
  return box !== undefined && box.printedWidth > box.paper.width;
}

/** Returns the width in points, rounded like Chromium, of a page that was printed wider. */
function widthInPoints(box: PageRuleBox | undefined): number | undefined {
  if (box === undefined || !isPrintedWider(box)) return undefined;
  // Chromium rounds to points, then to dots of 1/300 inch.
  const dots = Math.round((Math.round(box.paper.width * pointsPerInch) / pointsPerInch) * 300);
  return (dots * pointsPerInch) / 300;
}

/** As Chromium writes it: the dictionaries of its documents are not compressed. */
const functionShading = '/ShadingType 1\n';

async function includeText(documents: readonly Buffer[], text: string): Promise<boolean> {
  for (const bytes of documents) if (await includesText(bytes, text)) return true;
  return false;
}

interface AddedContent {
  readonly body: PrintedBody;
  readonly selection: OutputPages;
  readonly facts: PdfPageFacts;
  readonly run: WindowRun;
}

/** Loads watermarks and backgrounds, then prints headers and footers. Both use the window of the page. */
async function headerFooterAndStamps(
  page: Page,
  { selection, facts, run, body }: AddedContent,
): Promise<Partial<FinishTask>> {
  const stamps = await loadStamps(page.window, run, selection.kept.length);
  const { inspection, plan } = body;
  // Only @page rules can give pages different paper.
  const hasPageRules = plan.settings.pageRulesOverride === true;
  const boxOf = (index: number): PositioningBox => {
    const box = body.boxes?.[index];
    if (box === undefined) return { paper: inspection.paperOf(index) };
    if (page.ownPaper?.isRequested !== true) return box;
    // With css_page_rule_mode=mode2, margin_top and margin_bottom position headers and footers.
    const { left, right } = box.margins;
    return { paper: box.paper, margins: { left, right } };
  };
  const boxes = hasPageRules ? selection.kept.map((number) => boxOf(number - 1)) : undefined;
  const printed = { kept: selection.numbers, total: selection.total, facts, ...(boxes && { boxes }) };
  const headersAndFooters = await printHeadersAndFooters(page, printed, run);
  const printedBytes = [body.bytes, ...headersAndFooters.map(({ pdf }) => bufferOf(pdf))];
  return {
    ...(headersAndFooters.length > 0 && { headersAndFooters }),
    ...((await includeText(printedBytes, functionShading)) && { hasFunctionShadings: true as const }),
    ...(stamps.length > 0 && { stamps }),
  };
}

/** Runs the task in a finishing thread, and logs its steps as stages. A task without steps returns the printed bytes. */
async function finish(task: FinishTask, run: WindowRun, finisher: Finisher): Promise<FinishedPdf> {
  if (Object.keys(task).length === 1) return { bytes: bufferOf(task.printed) };
  const result = await run.log.timeStage('finish the PDF', () => finisher.finish(task, run.signal));
  for (const { name, took } of result.stages) run.log.write({ kind: 'stage', text: name, took, detail: {} });
  for (const { topic, text } of result.notes) run.log.note(text, noteDetails[topic]);
  return { ...result, bytes: bufferOf(result.bytes) };
}

interface FinishedPdf extends Pick<FinishResult, 'signature' | 'sizes'> {
  readonly bytes: Buffer;
}

const noteDetails = {
  images: { code: 'images-recompressed', options: ['jpeg_quality', 'convert_images_to_jpeg', 'image_dpi'] },
  'removed for a standard': { code: 'option-without-effect', options: ['enable_pdf_forms', 'pdf_standard'] },
  'standard not met': { code: 'standard-not-met', options: ['pdf_standard'] },
} as const;

/**
 * Returns the options for the document as a whole: document information, viewer, images, standards, protection and identical bytes.
 * Each part is present only if one of its options is set. `snapshot`: the nodes of the page, for PDF/UA.
 */
export function documentOptions(
  options: Options,
  facts: PdfPageFacts,
  snapshot?: PageSnapshot,
): Partial<FinishTask> {
  const info = infoOptions(options, facts);
  const viewer = viewerOptions(options);
  const images = imageOptions(options);
  const standard = standardOptions(options, snapshot);
  const protection = protectionOptions(options);
  return {
    ...(info && { info }),
    ...(viewer && { viewer }),
    ...(images && { images }),
    ...(standard && { standard }),
    ...(protection && { protection }),
    ...(options.creation_date !== undefined && { isReproducible: true as const }),
  };
}

function infoOptions(options: Options, { metas }: PdfPageFacts): FinishTask['info'] {
  const { title, extract_meta_tags } = options;
  const meta = (name: string) => (extract_meta_tags ? metas[name] : undefined);
  const author = options.author ?? meta('author');
  const keywords = options.keywords ?? meta('keywords');
  const subject = options.subject ?? meta('description');
  const info = {
    ...(title !== undefined && { title }),
    ...(author !== undefined && { author }),
    ...(keywords !== undefined && { keywords }),
    ...(subject !== undefined && { subject }),
    ...(options.creation_date !== undefined && { created: options.creation_date }),
  };
  return Object.keys(info).length === 0 ? undefined : info;
}

function viewerOptions(options: Options): FinishTask['viewer'] {
  const { page_layout, page_mode, initial_zoom_type, initial_page, initial_zoom } = options;
  const { hide_toolbar, hide_menubar, hide_window_ui, fit_window, center_window } = options;
  const { display_title, right_to_left } = options;
  const opening = { page_layout, page_mode, initial_zoom_type, initial_page, initial_zoom };
  const hiding = { hide_toolbar, hide_menubar, hide_window_ui, fit_window, center_window };
  const viewer = { ...opening, ...hiding, display_title, right_to_left };
  const isAnySet = Object.values(viewer).some((value) => value !== undefined && value !== false);
  return isAnySet ? viewer : undefined;
}

function imageOptions(options: Options): FinishTask['images'] {
  const { jpeg_quality, convert_images_to_jpeg, image_dpi } = options;
  if (jpeg_quality === 100 && convert_images_to_jpeg === 'none' && image_dpi === 0) return undefined;
  const background = (options.page_background_color ?? 'ffffff').slice(0, 6);
  return { jpeg_quality, convert_images_to_jpeg, image_dpi, background };
}

function standardOptions(options: Options, pdfUa: PageSnapshot | undefined): FinishTask['standard'] {
  const standards = standardsOf(options);
  if (standards === undefined) return undefined;
  const name = pdfAIn(standards);
  const pdfA: PdfA | undefined = name && {
    part: name.charAt(5) === '2' ? 2 : 3,
    conformance: name.endsWith('u') ? 'U' : 'B',
  };
  return { isStrict: options.pdf_standard_strict, ...(pdfA && { pdfA }), ...(pdfUa && { pdfUa }) };
}

/** A password or a restriction turns on encryption even without `encrypt`. */
function protectionOptions(options: Options): FinishTask['protection'] {
  const { linearize, no_print, no_modify, no_copy, user_password = '', owner_password = '' } = options;
  if (encryptionOptionsIn(options).length === 0) return linearize ? { linearize } : undefined;
  return { linearize, encryption: { user_password, owner_password, no_print, no_modify, no_copy } };
}

// Attachments.

function attachmentsOf(options: Options): Pick<FinishTask, 'attachments'> {
  const { attachment, invoice_xml } = options;
  if (attachment === undefined && invoice_xml === undefined) return {};
  const uploads = (attachment ?? []).filter((upload) => upload !== undefined);
  const files = uploads.map((upload, index) => ({
    name: upload.name,
    contentType: contentTypeOf(upload),
    relationship: options.attachment_relationship?.[index] ?? ('Unspecified' as const),
    description: options.attachment_description?.[index] ?? '',
    path: upload.path,
  }));
  return { attachments: { files, ...(invoice_xml && { invoice: invoice_xml.path }) } };
}

/**
 * Returns the content type of the part or, if it may be unknown, that of the file name extension. text/plain is the default of a part
 * without a content type (RFC 7578, 4.4).
 */
function contentTypeOf({ name, contentType = 'application/octet-stream' }: Upload): string {
  const isKnown = !['application/octet-stream', 'text/plain'].includes(contentType);
  return isKnown ? contentType : lookup(name) || contentType;
}
