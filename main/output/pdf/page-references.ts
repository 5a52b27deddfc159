/**
 * Prints a page whose page references show the page numbers of their targets. The numbers are known only after a print, and they can
 * move their targets, so the page is printed until each number is that of its page.
 */
import { callPageScript } from '../../engine/devtools/evaluate.ts';
import type {
  BrokenPageReference,
  FoundPageReferences,
  PageNumberReference,
  PageReferenceTexts,
} from '../../engine/page-scripts/page-references.ts';
import type { Page } from '../../engine/page.ts';
import type { WindowRun } from '../../engine/window-run.ts';
import { Failure, shortened } from '../../failure/failure.ts';
import { pixelsPerInch } from '../../job/layout.ts';
import { formatNumber, numberFormatOf } from '../numerals.ts';
import type { Inspection } from '../pdf-reader/inspect-pdf.ts';
import { selectOutputPages } from './output-pages.ts';
import { planPrint } from './print-plan.ts';

/** Usually the second print is the last one. A number that moves its own target to another page can alternate endlessly. */
const maxPrints = 4;

/** Shown for a target on a page that is not in the output. */
const noNumber = '\u2013';

interface ReferencedPrint<Printed> {
  /** The references before the first print. */
  readonly found: FoundPageReferences;
  readonly print: () => Promise<Printed>;
}

/**
 * Prints the page until each reference shows the number of its page, at most four times.
 * @throws Failure elementNotFound if a reference has no target, or if its target is not printed
 */
export async function printWithReferences<Printed extends { readonly inspection: Inspection }>(
  page: Page,
  run: WindowRun,
  { found, print }: ReferencedPrint<Printed>,
): Promise<Printed> {
  if (found.broken.length > 0) throw brokenReferences(found.broken);
  const { references } = found;
  let texts = estimatedTexts(references, page, run);
  for (let prints = 1; ; prints += 1) {
    run.signal.throwIfAborted();
    await callPageScript(
      page.window.contents,
      'page-references.fillPageReferences',
      run.classPrefixes,
      texts,
    );
    const body = await print();
    const printed = await pagesOf(references, body.inspection, run);
    if (printed.unprinted.length > 0) throw brokenReferences(printed.unprinted);
    const shown = texts;
    const wrong = references.filter(
      ({ destination, format }) => shown[destination]?.[format] !== printed.texts[destination]?.[format],
    );
    if (wrong.length === 0 || prints === maxPrints) {
      noteNumbers(printed, wrong, run);
      return body;
    }
    texts = printed.texts;
  }
}

/** Estimates the numbers from the positions in the layout, so that they usually are as wide as the correct numbers. */
function estimatedTexts(
  references: readonly PageNumberReference[],
  page: Page,
  run: WindowRun,
): PageReferenceTexts {
  const { options } = run.job;
  const { paper, margins, scale } = planPrint(options, page).settings;
  const pageHeight = ((paper.height - margins.top - margins.bottom) * pixelsPerInch) / scale;
  return textsOf(
    references,
    ({ top }) => Math.max(0, Math.floor(top / pageHeight)) + 1 + options.page_numbering_offset,
  );
}

interface PrintedReferences {
  readonly texts: PageReferenceTexts;
  /** Required references whose targets have no place on any page. */
  readonly unprinted: readonly BrokenPageReference[];
  /** References without a number. */
  readonly withoutNumber: readonly PageNumberReference[];
}

/** Determines the numbers of the pages on which the targets are printed, as headers and footers show them. */
async function pagesOf(
  references: readonly PageNumberReference[],
  inspection: Inspection,
  { job: { options } }: WindowRun,
): Promise<PrintedReferences> {
  const { kept } = await selectOutputPages(options, inspection);
  const outputPages = new Map(kept.map((printed, index) => [printed, index + 1]));
  const printedPages = await inspection.pagesOfDestinations(
    new Set(references.map(({ destination }) => destination)),
  );
  const isUnprinted = ({ destination }: PageNumberReference) => !printedPages.has(destination);
  const numberOf = ({ destination }: PageNumberReference) => {
    const page = outputPages.get((printedPages.get(destination) ?? -1) + 1);
    return page === undefined ? undefined : page + options.page_numbering_offset;
  };
  const unprinted = references.filter((reference) => reference.isRequired && isUnprinted(reference));
  return {
    texts: textsOf(references, numberOf),
    unprinted: unprinted.map(({ path }) => ({ path, reason: 'links to an element that is not printed' })),
    withoutNumber: references.filter((reference) => numberOf(reference) === undefined),
  };
}

function textsOf(
  references: readonly PageNumberReference[],
  numberOf: (reference: PageNumberReference) => number | undefined,
): PageReferenceTexts {
  // Without prototypes, because the page chooses the names: `__proto__` would change the prototype of all objects.
  const texts = Object.create(null) as Record<string, Record<string, string>>;
  for (const reference of references) {
    const number = numberOf(reference);
    const text = number === undefined ? noNumber : formatNumber(number, numberFormatOf(reference.format));
    const byFormat = (texts[reference.destination] ??= Object.create(null) as Record<string, string>);
    byFormat[reference.format] = text;
  }
  return texts;
}

function brokenReferences(broken: readonly BrokenPageReference[]): Failure {
  const sentences = broken
    .slice(0, maxNamed)
    .map(({ path, reason }) => `The page reference ${shortened(path)} ${reason.slice(0, maxReasonLength)}.`);
  const more = broken.length > maxNamed ? ` ${broken.length - maxNamed} more are wrong.` : '';
  const remedy = 'Link each page reference to the id of an element that is shown.';
  return new Failure('elementNotFound', `${sentences.join(' ')}${more} ${remedy}`);
}

const maxNamed = 5;
/** A reason quotes an address. */
const maxReasonLength = 300;

function noteNumbers(
  { withoutNumber }: PrintedReferences,
  wrong: readonly PageNumberReference[],
  { log }: WindowRun,
): void {
  if (withoutNumber.length > 0)
    log.note(
      `${named(withoutNumber)} without a number, because the target is not in the output: print_page_range or remove_blank_pages omits its page, or the print hides it.`,
      { code: 'page-references', options: ['print_page_range', 'remove_blank_pages'] },
    );
  if (wrong.length > 0)
    log.note(
      `${named(wrong)} with a wrong number: the number moves its own target to another page. Give the reference a fixed width, such as display: inline-block; width: 3ch.`,
      { code: 'page-references', options: [] },
    );
}

/** Returns the beginning of a sentence, such as `The page reference a.service-page-ref is printed`. */
function named(references: readonly PageNumberReference[]): string {
  const paths = references.slice(0, maxNamed).map(({ path }) => shortened(path));
  const list = `${paths.join(', ')}${references.length > maxNamed ? ', ...' : ''}`;
  return references.length === 1
    ? `The page reference ${list} is printed`
    : `${references.length} page references (${list}) are printed`;
}
