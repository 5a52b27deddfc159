/** A document of the benchmark: an HTML file, the files that it loads, and its expected output. */

export interface BenchDocument {
  readonly name: string;
  readonly title: string;
  readonly html: string;
  /** Whether the document may run scripts. If so, candidates must navigate to it instead of writing it into an open page. */
  readonly scripts: boolean;
  readonly expected: ExpectedOutput;
  /** How Platen gets the document: in an archive with its files, or from a web server. By default, its HTML is sent as text. */
  readonly by?: 'archive' | 'url';
  /** The files that the document loads, by path relative to it. */
  readonly files?: Readonly<Record<string, Buffer>>;
  /** Whether a script goes on after the page has loaded, and sets the attribute `data-ready` of the root element at its end. */
  readonly marksReady?: true;
  /** Further fields of the request. Only Platen converts such a document. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Whether a job takes seconds. If so, each caller runs one job per round, and there are at most two callers. */
  readonly long: boolean;
}

export type ExpectedOutput = ExpectedPdf | ExpectedImage;

export interface ExpectedPdf {
  readonly kind: 'pdf';
  /** The minimum and maximum number of pages, which depends on the fonts of the machine. */
  readonly pages: readonly [fewest: number, most: number];
  /** Whether each page has a footer with `Page N of M`. */
  readonly footer: boolean;
}

/** A PNG image; sizes in pixels. */
export interface ExpectedImage {
  readonly kind: 'image';
  readonly width: number;
  readonly height: number;
  /** True if the image shows the whole page, whose height is `height`; false if the image is cut at `height`. */
  readonly whole: boolean;
}

/** The paper of all candidates, in inches: A4 with Platen's default margins. */
export const paper = { width: 210 / 25.4, height: 297 / 25.4, margin: 0.4 } as const;

/** The scale at which a layout 1024 pixels wide fits the print area. */
export const printScale = ((paper.width - 2 * paper.margin) * 96) / 1024;

export function pdfOf(fewest: number, most = fewest): ExpectedPdf {
  return { kind: 'pdf', pages: [fewest, most], footer: false };
}
