/** A document of the benchmark: one HTML file without external resources, and its expected output. */

export interface BenchDocument {
  readonly name: string;
  readonly title: string;
  readonly html: string;
  /** It may run scripts, so candidates must navigate to it and cannot write it into an open page. */
  readonly scripts: boolean;
  readonly expected: ExpectedOutput;
  /** It is converted by its URL on a web server instead of being sent. */
  readonly byUrl?: true;
  /** A job takes seconds: each caller runs it once a round, with at most two callers. */
  readonly long: boolean;
}

export type ExpectedOutput = ExpectedPdf | ExpectedImage;

export interface ExpectedPdf {
  readonly kind: 'pdf';
  /** The lowest and the highest number of pages; fonts differ between machines. */
  readonly pages: readonly [fewest: number, most: number];
  /** It has `Page N of M` at the foot of each page. */
  readonly footer: boolean;
}

/** A PNG. */
export interface ExpectedImage {
  readonly kind: 'image';
  readonly width: number;
  readonly height: number;
  /** True: the image is as tall as the page, which is `height`. False: it is cut at `height`. */
  readonly whole: boolean;
}

/** The page set-up of all candidates: A4, Platen's default margins, a layout 1024 pixels wide scaled to fit. */
export const paper = { width: 210 / 25.4, height: 297 / 25.4, margin: 0.4 } as const;

/** The scale of the layout on the paper. */
export const printScale = ((paper.width - 2 * paper.margin) * 96) / 1024;

export function pdfOf(fewest: number, most = fewest): ExpectedPdf {
  return { kind: 'pdf', pages: [fewest, most], footer: false };
}
