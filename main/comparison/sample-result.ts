/** The samples of a report: their results and verdicts. */
import type { ComparedPage, DocumentDifference, PagesDifference } from './compare-documents.ts';

/** A conversion that failed on at least one side, or the difference of the two outputs. */
export type SampleResult =
  | { readonly failures: ConversionFailures }
  | { readonly failures?: undefined; readonly difference: DocumentDifference };

/** The message of each failed conversion; undefined for one that succeeded. */
export interface ConversionFailures {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * `identical`: the same bytes. `same appearance`: no page, word or font differs. `unknown`: nothing differs as far as the outputs can be
 * compared. `failed`: the conversion failed on at least one side.
 */
export type SampleVerdict = 'identical' | 'same appearance' | 'differs' | 'unknown' | 'failed';

/** The names of the two compared installations, such as `Platen 1.2.0`. */
export interface ComparedInstallations {
  readonly before: string;
  readonly after: string;
}

/** A sample in the report. Paths are relative to the report's folder, with slashes. */
export interface ReportedSample {
  readonly name: string;
  /** `unfinished`: the comparison ended before this sample had a result. */
  readonly verdict: SampleVerdict | 'unfinished';
  readonly result: SampleResult | undefined;
  /** The pages with differences, in order. */
  readonly pages: readonly ReportedPage[];
}

export interface ReportedPage {
  /** Counts from 1. */
  readonly page: number;
  readonly html: string;
  /** A page that looks the same, or that only one document has, lacks images. */
  readonly images: { readonly before?: string; readonly after?: string; readonly overlay?: string };
}

export function verdictOf(result: SampleResult): SampleVerdict {
  if (result.failures !== undefined) return 'failed';
  const { difference } = result;
  switch (difference.kind) {
    case 'identical bytes':
      return 'identical';
    case 'different bytes':
      return 'differs';
    case 'unreadable':
      // One output that can be opened and one that cannot do differ.
      return difference.before !== undefined && difference.after !== undefined ? 'unknown' : 'differs';
    case 'pages compared':
      return verdictOfPages(difference);
  }
}

function verdictOfPages(difference: PagesDifference): SampleVerdict {
  const { pages, textChanges, fonts } = difference;
  const hasOtherChanges = textChanges.length > 0 || fonts.before.length > 0 || fonts.after.length > 0;
  if (hasOtherChanges || pages.some(isDifferent)) return 'differs';
  return pages.some(({ kind }) => kind === 'unknown') ? 'unknown' : 'same appearance';
}

function isDifferent({ kind }: ComparedPage): boolean {
  return kind === 'differs' || kind === 'only';
}

/** Returns the numbers of the pages that look different, have changed text, or could not be compared. */
export function pagesWithDifferences({ pages, textChanges }: PagesDifference): readonly number[] {
  const changed = textChanges.flatMap(({ before, after }) => [before?.page, after?.page]);
  const different = pages.filter(({ kind }) => kind !== 'identical').map(({ page }) => page);
  const numbers = new Set([...changed, ...different]);
  return [...numbers].filter((page) => page !== undefined).sort((a, b) => a - b);
}
