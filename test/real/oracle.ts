/** What a page of the corpus must have become, and how a result is held against it. */
import pixelmatch from 'pixelmatch';
import sharp from 'sharp';
import type { Fields } from '../support/convert.ts';
import { pdfFacts, pdfPicture, pdfText } from '../support/pdf.ts';

export type Format = 'pdf' | 'png';

/** Facts that hold once six seconds have passed. Texts are looked for in the PDF only, since a picture has none. */
export interface Oracle {
  /** The name of its file, without .html. */
  readonly page: string;
  readonly texts?: readonly string[];
  /** What only a page that is not ready shows. */
  readonly lacks?: readonly string[];
  /** How often a pattern is found, exactly. */
  readonly counts?: readonly (readonly [pattern: RegExp, times: number])[];
  /** At least this many CSS pixels have the colour `#rrggbb`, wherever they are. */
  readonly colours?: Readonly<Record<string, number>>;
  /** Only for what differs between the formats. */
  readonly coloursOfPng?: Readonly<Record<string, number>>;
  /** At least this many pages of the PDF. */
  readonly pages?: number;
  /**
   * `reference` (default): the result is the same picture as the page after six seconds of real waiting. `facts`: it never comes to
   * rest, or more of it than waiting is needed (scrolling), so that there is no such picture.
   */
  readonly compare?: 'reference' | 'facts';
  /** Facts that real waiting alone cannot bring about, since they need the page to be scrolled. */
  readonly needsScrolling?: boolean;
  /** Options that make it right where default options cannot; the log names them. Then only they are tested by the suite. */
  readonly cure?: Fields;
  /** It is also sent as an archive together with what it loads. */
  readonly archive?: boolean;
}

/** One page of a PDF, or the picture, in CSS pixels. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** At 1024 CSS pixels across A4 with margins of 0.4 in, so many dots per inch show one CSS pixel as one pixel. */
const pdfScale = 137 / 72;

/** Of 255, in each channel: colours come out of a PDF's picture rounded. */
const colourTolerance = 6;

/** Of the area in the picture; a PDF's page breaks cut elements and its edges are smoothed. */
const pdfShare = 0.9;

/** pixelmatch's own measure of a visible difference. */
const pixelThreshold = 0.1;

/**
 * Pixels of a sheet. Two results of the same page after real waiting differ by none as a rule; what moves by a fraction of a pixel at
 * the end of an easing changes single pixels of an edge, a digit changes more than this.
 */
const differingPixels = 40;

export async function sheetsOf(result: Buffer, format: Format): Promise<Sheet[]> {
  if (format === 'png') return [await sheetOf(result)];
  const sheets: Sheet[] = [];
  const { pages } = pdfFacts(result);
  for (let page = 1; page <= pages; page += 1) sheets.push(await sheetOf(pdfPicture(result, pdfScale, page)));
  return sheets;
}

async function sheetOf(png: Buffer): Promise<Sheet> {
  const { data, info } = await sharp(png, { limitInputPixels: false })
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** What is wrong with a result by the oracle's facts; empty when nothing is. */
export function violatedFacts(
  oracle: Oracle,
  {
    result,
    format,
    sheets,
  }: { readonly result: Buffer; readonly format: Format; readonly sheets: readonly Sheet[] },
): string[] {
  const wrong: string[] = [];
  if (format === 'pdf') {
    const text = pdfText(result).normalize('NFKC');
    for (const wanted of oracle.texts ?? []) if (!text.includes(wanted)) wrong.push(`lacks "${wanted}"`);
    for (const unwanted of oracle.lacks ?? [])
      if (text.includes(unwanted)) wrong.push(`still shows "${unwanted}"`);
    for (const [pattern, times] of oracle.counts ?? []) {
      const found = text.match(new RegExp(pattern, 'g'))?.length ?? 0;
      if (found !== times) wrong.push(`${found} times ${pattern.source}, not ${times}`);
    }
    if (sheets.length < (oracle.pages ?? 1)) wrong.push(`${sheets.length} pages, not ${oracle.pages ?? 1}`);
  }
  const colours = { ...oracle.colours, ...(format === 'png' ? oracle.coloursOfPng : {}) };
  for (const [colour, area] of Object.entries(colours)) {
    const wanted = format === 'pdf' ? Math.round(area * pdfShare) : area;
    const found = sheets.reduce((sum, sheet) => sum + areaOf(sheet, colour), 0);
    if (found < wanted) wrong.push(`${found} pixels of ${colour}, not ${wanted}`);
  }
  return wrong;
}

export function areaOf({ data }: Sheet, colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  let area = 0;
  for (let at = 0; at < data.length; at += 4)
    if (
      Math.abs((data[at] ?? 0) - red) <= colourTolerance &&
      Math.abs((data[at + 1] ?? 0) - green) <= colourTolerance &&
      Math.abs((data[at + 2] ?? 0) - blue) <= colourTolerance
    )
      area += 1;
  return area;
}

/** How the sheets differ from those of the reference; empty when they do not. */
export function differences(sheets: readonly Sheet[], reference: readonly Sheet[]): string[] {
  if (sheets.length !== reference.length)
    return [`${sheets.length} pages, the reference has ${reference.length}`];
  return sheets.flatMap((sheet, index) => {
    const wanted = reference[index];
    if (wanted?.width !== sheet.width || wanted.height !== sheet.height)
      return [
        `${sheet.width} x ${sheet.height}, the reference is ${wanted?.width ?? 0} x ${wanted?.height ?? 0}`,
      ];
    const { width, height, data } = sheet;
    const pixels = pixelmatch(data, wanted.data, undefined, width, height, { threshold: pixelThreshold });
    return pixels > differingPixels
      ? [`${pixels} pixels of sheet ${index + 1} differ from the reference`]
      : [];
  });
}
