/** Checks that involve several options, a limit set by the operator, or the page. */
import type { OptionName, Options } from './options.ts';
import { Failure, shortened, type Problem } from '../failure/failure.ts';
import { changesPaper, selectorOfSetup, setupOfSelector } from './layout.ts';
import { geometryFor, printAreaOf, type PageGeometry } from './paper.ts';
import { isImage } from './job.ts';

export interface JobLimits {
  /** The job timeout (setting job-timeout) in milliseconds. */
  readonly jobTimeoutMs: number;
  /** Whether absent options have Pdfcrowd's defaults (`--alias pdfcrowd`). */
  readonly isPdfcrowdAlias?: boolean;
}

type Rule = (
  options: Options,
  givenOptions: ReadonlySet<OptionName>,
  limits: JobLimits,
) => string | undefined;

/** Returns the problems of options that are valid individually but not together. */
export function ruleProblems(
  options: Options,
  givenOptions: ReadonlySet<OptionName>,
  limits: JobLimits,
): Problem[] {
  return rules
    .map((rule) => rule(options, givenOptions, limits))
    .filter((message) => message !== undefined)
    .map((message) => ({ kind: 'valueNotAllowed', message }));
}

/**
 * Returns the longest time, in milliseconds, that each of javascript_delay, settle_limit, max_loading_time and wait_for_element
 * may take: two thirds of the job timeout.
 */
export function maxWaitMs(limits: JobLimits): number {
  return Math.floor((limits.jobTimeoutMs * 2) / 3);
}

const rules: readonly Rule[] = [
  checkPaperSize,
  checkPrintArea,
  checkContentArea,
  checkPageSetups,
  (options, _, limits) => checkWait('javascript_delay', options, limits),
  (options, _, limits) => checkWait('settle_limit', options, limits),
  checkTemplateData,
  checkStandard,
  checkAttachments,
  checkInvoiceSize,
  checkAttachmentStandard,
  checkSignature,
];

/** Tolerance for rounding: 7.2pt is a tenth of an inch, but slightly less in floating point. */
const rounding = 1e-9;
const minInches = 0.1 - rounding;
const maxInches = 200 + rounding;

/**
 * 200 inches (14,400 points) is the largest page that PDF 1.4 viewers support (PDF Reference 1.4, appendix C), and that Chromium
 * prints. Below a tenth of an inch, nothing can be laid out.
 */
function checkPaperSize(options: Options): string | undefined {
  const invalid = (['page_width', 'page_height'] as const).filter((name) => {
    const inches = options[name];
    return typeof inches === 'number' && (inches < minInches || inches > maxInches);
  });
  return invalid.length === 0 ? undefined : `${invalid.join(' and ')} must be from 0.1in to 200in`;
}

/** Checks that the print area of every page is at least a tenth of an inch wide and high. */
function checkPrintArea(options: Options): string | undefined {
  if (isImage(options) || checkPaperSize(options) !== undefined) return undefined;
  const setups = options.conversion_config ?? [];
  const named = setups.map((setup, index) => ({
    geometry: geometryFor(options, setup),
    where: ` of pageSetup[${index}]`,
  }));
  const merged = (['', ':right', ':left', ':first'] as const).map((selector) => ({
    geometry: geometryFor(options, setupOfSelector(options, selector)),
    where: ' with conversion_config',
  }));
  const all = [{ geometry: geometryFor(options), where: '' }, ...named, ...merged];
  const growsWithContent = options.page_height === 'content';
  return all
    .map(({ geometry, where }) => printAreaProblem(geometry, where, growsWithContent))
    .find((problem) => problem !== undefined);
}

function printAreaProblem(
  geometry: PageGeometry,
  where: string,
  growsWithContent: boolean,
): string | undefined {
  const { paper, header, footer } = geometry;
  const area = printAreaOf(geometry);
  if ([paper.width, paper.height].some((side) => side < minInches || side > maxInches))
    return `the paper${where} must be from 0.1in to 200in wide and high; change page_width, page_height or page_size`;
  if (area.width < minInches)
    return `margin_left and margin_right${where} leave no room on paper ${paper.width.toFixed(2)}in wide; make them smaller, or page_width or page_size larger`;
  // A page that grows with its content must have room for margins, header, footer and 1in of content on the largest paper (200in).
  if (area.height >= minInches || (growsWithContent && paper.height - area.height < 199)) return undefined;
  const names = ['margin_top', 'margin_bottom'];
  if (header > 0) names.push('header_height');
  if (footer > 0) names.push('footer_height');
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
  return `${list}${where} leave no room on paper ${paper.height.toFixed(2)}in high; make them smaller, or page_height or page_size larger`;
}

function checkContentArea(options: Options): string | undefined {
  const invalid = (['content_area_width', 'content_area_height'] as const).filter((name) => {
    const inches = options[name];
    return inches !== undefined && (inches < minInches || inches > maxInches);
  });
  return invalid.length === 0 ? undefined : `${invalid.join(' and ')} must be from 0.1in to 200in`;
}

/**
 * Paper and margins of individual pages are set with @page rules, whose selectors can match only all, first, left and right pages.
 * Therefore only pages 1, odd, even and all can have individual paper and margins.
 */
function checkPageSetups(options: Options): string | undefined {
  const index = (options.conversion_config ?? []).findIndex(
    (setup) => changesPaper(setup) && selectorOfSetup(setup) === undefined,
  );
  return index < 0
    ? undefined
    : `paper, margins and heights in pageSetup[${index}] of conversion_config can be set for pages 1, odd, even or all (1-); other pages can have displayHeader and displayFooter (content or space) and backgroundColor`;
}

function checkTemplateData(options: Options): string | undefined {
  const { data_file, data_string, file, url } = options;
  if (data_file === undefined && data_string === undefined) return undefined;
  const isUrlInput = url !== undefined && file === undefined;
  return isUrlInput
    ? 'data_file and data_string need a template sent as file or text, not a url; send one of those'
    : undefined;
}

function checkWait(
  name: 'javascript_delay' | 'settle_limit',
  options: Options,
  limits: JobLimits,
): string | undefined {
  const maxMs = maxWaitMs(limits);
  const value = options[name];
  if (value === undefined || value <= maxMs) return undefined;
  return `the value '${value}' of ${name} is not allowed; allowed: at most ${maxMs} (milliseconds, two thirds of the setting job-timeout)`;
}

const encryptionOptions = [
  'encrypt',
  'user_password',
  'owner_password',
  'no_print',
  'no_modify',
  'no_copy',
] as const;

/** Returns the options that turn on encryption: `encrypt`, passwords and restrictions. */
export function encryptionOptionsIn(
  options: Pick<Options, (typeof encryptionOptions)[number]>,
): readonly OptionName[] {
  return encryptionOptions.filter((name) => Boolean(options[name]));
}

/** Returns whether the document must conform to PDF/UA. */
export function isAccessible({ pdf_standard }: Pick<Options, 'pdf_standard'>): boolean {
  return pdf_standard?.includes('pdfua-1') === true;
}

/** Returns whether the document gets an outline, which PDF/UA recommends (ISO 14289-1, 7.17). */
export function hasOutline(options: Pick<Options, 'outline' | 'pdf_standard'>): boolean {
  return options.outline || isAccessible(options);
}

/** PDF/A forbids encryption (ISO 19005-2, 6.1.3). */
function checkStandard(options: Options): string | undefined {
  const names = encryptionOptionsIn(options);
  const pdfA = pdfAIn(standardsOf(options));
  if (pdfA === undefined || names.length === 0) return undefined;
  const cause = options.invoice_xml === undefined ? 'pdf_standard' : 'invoice_xml';
  const subject = cause === 'pdf_standard' ? `pdf_standard=${pdfA}` : 'invoice_xml makes a PDF/A-3, which';
  return `${subject} forbids encryption; remove ${names.join(' and ')}, or ${cause}`;
}

/** Checks that each description and relationship belongs to an attachment. */
function checkAttachments(options: Options): string | undefined {
  const { attachment = [] } = options;
  const surplus = (['attachment_description', 'attachment_relationship'] as const).find(
    (name) => (options[name] ?? []).length > attachment.length,
  );
  if (surplus === undefined) return undefined;
  const values = options[surplus] ?? [];
  return `${surplus} was given ${times(values.length)}, but attachment ${times(attachment.length)}; send one for each attachment, in the same order`;
}

/** Reading a longer XML would take hundreds of megabytes of memory. Real invoices have a few kilobytes. */
const maxInvoiceBytes = 5_000_000;

function checkInvoiceSize({ invoice_xml }: Options): string | undefined {
  if (invoice_xml === undefined || invoice_xml.size <= maxInvoiceBytes) return undefined;
  return `invoice_xml has ${(invoice_xml.size / 1e6).toFixed(1)} MB; send at most ${maxInvoiceBytes / 1e6} MB`;
}

function times(count: number): string {
  return count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`;
}

/** Files may be attached to PDF/A-2 only if they conform to PDF/A themselves (ISO 19005-2, 6.8), which is not checked here. */
function checkAttachmentStandard({ attachment, invoice_xml, pdf_standard }: Options): string | undefined {
  const pdfA = pdfAIn(pdf_standard);
  const given = [
    ...(attachment === undefined ? [] : ['attachment']),
    ...(invoice_xml === undefined ? [] : ['invoice_xml']),
  ];
  if (pdfA?.startsWith('pdfa-2') !== true || given.length === 0) return undefined;
  const other = pdfA.replace('2', '3');
  return `pdf_standard=${pdfA} allows no attached files; send pdf_standard=${other}, or remove ${given.join(' and ')}`;
}

/** Returns whether the signature is visible: one of the options of its place is given. */
export function isSignatureVisible(givenOptions: ReadonlySet<OptionName>): boolean {
  return [...givenOptions].some((name) => /^signature_(page|x|y|width|height)$/.test(name));
}

const minSignatureInches = 0.2;

/** A signature is added to a finished document, and to an encrypted one it cannot be added. */
function checkSignature(options: Options): string | undefined {
  if (!options.sign) return undefined;
  if (options.signature_page === 0)
    return 'signature_page must not be 0; send 1 for the first page, or -1 for the last one';
  if (Math.min(options.signature_width, options.signature_height) < minSignatureInches)
    return `signature_width and signature_height must be at least ${minSignatureInches}in`;
  const names = encryptionOptionsIn(options);
  if (names.length === 0) return undefined;
  return `sign and encryption exclude each other; remove ${names.join(' and ')}, or sign. A signature already shows changes to the document`;
}

/** Returns the standards of the document: those of pdf_standard, and for an e-invoice PDF/A-3b if no PDF/A is given. */
export function standardsOf({
  invoice_xml,
  pdf_standard,
}: Pick<Options, 'invoice_xml' | 'pdf_standard'>): Options['pdf_standard'] {
  const needsPdfA = invoice_xml !== undefined && pdfAIn(pdf_standard) === undefined;
  return needsPdfA ? ['pdfa-3b', ...(pdf_standard ?? [])] : pdf_standard;
}

/** Returns the PDF/A in a list of standards, which contains at most one. */
export function pdfAIn(standards: Options['pdf_standard']) {
  return standards?.find((name) => name.startsWith('pdfa-'));
}

/** Returns the Failure for an option whose value is not a valid CSS selector list. Only the page's CSS parser can check that. */
export function invalidSelectors(option: 'wait_for_element' | 'element_to_convert', value: string): Failure {
  return new Failure(
    'valueNotAllowed',
    `The value '${shortened(value)}' of ${option} is not allowed; allowed: a list of CSS selectors.`,
  );
}
