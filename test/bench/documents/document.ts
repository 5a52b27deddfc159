/** What a document of the benchmark is: one HTML file that loads nothing, and what it is to become. */

export interface BenchDocument {
  readonly name: string;
  readonly title: string;
  readonly html: string;
  /** It runs scripts: who writes documents into an open page must navigate to it. */
  readonly scripts: boolean;
  readonly wanted: Wanted;
  /** It is asked for by the address of a web server, and not sent. */
  readonly atAddress?: true;
  /** One job takes seconds: each caller does it once a round, and there are at most two. */
  readonly long: boolean;
}

export type Wanted = WantedPdf | WantedPicture;

export interface WantedPdf {
  readonly kind: 'pdf';
  /** Fewest and most pages; fonts differ from machine to machine. */
  readonly pages: readonly [fewest: number, most: number];
  /** `Page N of M` at the foot of each page. */
  readonly footer: boolean;
}

/** A PNG. */
export interface WantedPicture {
  readonly kind: 'picture';
  readonly width: number;
  readonly height: number;
  /** As tall as the page, which is `height`; else cut there. */
  readonly whole: boolean;
}

/** What every contestant prints on: A4, with Platen's own margins, a layout 1024 pixels wide scaled to fit. */
export const paper = { width: 210 / 25.4, height: 297 / 25.4, margin: 0.4 } as const;

/** Of the layout on the paper. */
export const printScale = ((paper.width - 2 * paper.margin) * 96) / 1024;

export function pdfOf(fewest: number, most = fewest): WantedPdf {
  return { kind: 'pdf', pages: [fewest, most], footer: false };
}
