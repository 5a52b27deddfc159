/** The expected result of a page of the corpus, and the checks of an actual result. */
import pixelmatch from 'pixelmatch';
import sharp from 'sharp';
import type { Fields } from '../support/convert.ts';
import { pdfFacts, pdfImage, pdfText } from '../support/pdf.ts';

export type Format = 'pdf' | 'png';

/** Facts that hold after six seconds. Texts are checked in the PDF only. */
export interface Oracle {
  /** The name of the page's file, without .html. */
  readonly page: string;
  readonly texts?: readonly string[];
  /** Texts that appear only while the page is not ready. */
  readonly absentTexts?: readonly string[];
  /** The exact number of matches of a pattern. */
  readonly counts?: readonly (readonly [pattern: RegExp, times: number])[];
  /** At least this many CSS pixels anywhere have the colour `#rrggbb`. */
  readonly colours?: Readonly<Record<string, number>>;
  /** Colours that only the PNG shows. */
  readonly coloursOfPng?: Readonly<Record<string, number>>;
  /** The minimum number of pages of the PDF. */
  readonly pages?: number;
  /**
   * `reference` (default): the result equals a screenshot of the page after a real wait of six seconds. `facts`: there is no such
   * image, because the page never becomes idle or needs scrolling.
   */
  readonly compare?: 'reference' | 'facts';
  /** These facts need scrolling; waiting alone is not enough. */
  readonly needsScrolling?: boolean;
  /** Options for a page that default options cannot convert; the debug log names them. The suite then tests only these options. */
  readonly requiredOptions?: Fields;
  /** The page is also converted as an archive with its resources. */
  readonly archive?: boolean;
}

/** One page of a PDF, or the image, in CSS pixels. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** With 1024 CSS pixels across A4 and margins of 0.4 in, this resolution renders one CSS pixel as one pixel. */
const pdfScale = 137 / 72;

/** Of 255, for each channel: the colours of a rendered PDF are rounded. */
const colourTolerance = 6;

/** The minimum share of the area: page breaks of a PDF cut elements, and edges are anti-aliased. */
const pdfShare = 0.9;

/** The threshold of pixelmatch for a visible difference. */
const pixelThreshold = 0.1;

/**
 * The maximum number of different pixels of a sheet. Two results of the same page usually have none; a shift by a fraction of a pixel
 * at the end of an easing changes single edge pixels, and a changed digit exceeds this limit.
 */
const differingPixels = 40;

export async function sheetsOf(result: Buffer, format: Format): Promise<Sheet[]> {
  if (format === 'png') return [await sheetOf(result)];
  const sheets: Sheet[] = [];
  const { pages } = pdfFacts(result);
  for (let page = 1; page <= pages; page += 1) sheets.push(await sheetOf(pdfImage(result, pdfScale, page)));
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

/** Returns the violated facts of the oracle; empty for a correct result. */
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
    for (const expectedText of oracle.texts ?? [])
      if (!text.includes(expectedText)) wrong.push(`lacks "${expectedText}"`);
    for (const unwanted of oracle.absentTexts ?? [])
      if (text.includes(unwanted)) wrong.push(`still shows "${unwanted}"`);
    for (const [pattern, times] of oracle.counts ?? []) {
      const found = text.match(new RegExp(pattern, 'g'))?.length ?? 0;
      if (found !== times) wrong.push(`${found} times ${pattern.source}, not ${times}`);
    }
    if (sheets.length < (oracle.pages ?? 1)) wrong.push(`${sheets.length} pages, not ${oracle.pages ?? 1}`);
  }
  const colours = { ...oracle.colours, ...(format === 'png' ? oracle.coloursOfPng : {}) };
  for (const [colour, area] of Object.entries(colours)) {
    const expectedArea = format === 'pdf' ? Math.round(area * pdfShare) : area;
    const found = sheets.reduce((sum, sheet) => sum + areaOf(sheet, colour), 0);
    if (found < expectedArea) wrong.push(`${found} pixels of ${colour}, not ${expectedArea}`);
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

/** Returns the differences between the sheets and the reference; empty if they are equal. */
export function differences(sheets: readonly Sheet[], reference: readonly Sheet[]): string[] {
  if (sheets.length !== reference.length)
    return [`${sheets.length} pages, the reference has ${reference.length}`];
  return sheets.flatMap((sheet, index) => {
    const referenceSheet = reference[index];
    if (referenceSheet?.width !== sheet.width || referenceSheet.height !== sheet.height)
      return [
        `${sheet.width} x ${sheet.height}, the reference is ${referenceSheet?.width ?? 0} x ${referenceSheet?.height ?? 0}`,
      ];
    const { width, height, data } = sheet;
    const pixels = pixelmatch(data, referenceSheet.data, undefined, width, height, {
      threshold: pixelThreshold,
    });
    return pixels > differingPixels
      ? [`${pixels} pixels of sheet ${index + 1} differ from the reference`]
      : [];
  });
}
