/** Describes the expected result of a page of the corpus, and checks actual results. */
import pixelmatch from 'pixelmatch';
import sharp from 'sharp';
import type { Fields } from '../support/service/convert.ts';
import { pdfFacts, pdfImage, pdfText } from '../support/output/pdf.ts';

export type Format = 'pdf' | 'png';

/** Facts about the result of a page, which are true six seconds after it has loaded. Texts are checked only in a PDF. */
export interface Oracle {
  /** The name of the page's file, without .html. */
  readonly page: string;
  /** Texts that the result must contain. */
  readonly texts?: readonly string[];
  /** Texts that the result must not contain, because the page shows them only before it is ready. */
  readonly absentTexts?: readonly string[];
  /** Patterns, each with the exact number of its matches in the text. */
  readonly counts?: readonly (readonly [pattern: RegExp, times: number])[];
  /** Colours as `#rrggbb`, each with the minimum number of CSS pixels that have the colour. */
  readonly colours?: Readonly<Record<string, number>>;
  /** Further colours, which are checked only in a PNG. */
  readonly coloursOfPng?: Readonly<Record<string, number>>;
  /** The minimum number of pages of the PDF. */
  readonly pages?: number;
  /**
   * `reference` (default): the result must equal a reference, which is converted after a fixed wait. `facts`: there
   * is no reference, because the page never becomes idle or needs scrolling.
   */
  readonly compare?: 'reference' | 'facts';
  /** The maximum number of pixels of a sheet that differ from the reference. Default: 40 */
  readonly differingPixels?: number;
  /** Whether the facts become true only after scrolling. */
  readonly needsScrolling?: boolean;
  /** Options without which the page cannot be converted correctly. The debug log suggests them, and the suite uses them. */
  readonly requiredOptions?: Fields;
  /** Whether the page is also converted as an archive with its resources. */
  readonly archive?: boolean;
}

/** A page of a PDF, or an image, with one pixel per CSS pixel. */
export interface RenderedSheet {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** At this scale, a layout 1024 CSS pixels wide on A4 paper with margins of 0.4 in has one pixel per CSS pixel. */
const pdfScale = 137 / 72;

/** The allowed difference of a channel (0 to 255), because the colours of a rendered PDF are rounded. */
const colourTolerance = 6;

/** The minimum fraction of an area in a PDF, where page breaks cut elements and edges are anti-aliased. */
const pdfShare = 0.9;

/** The option `threshold` of pixelmatch: smaller differences of a pixel are ignored. */
const pixelThreshold = 0.1;

/**
 * The maximum number of different pixels of a sheet. Two results of the same page usually have no different pixels. A shift by a
 * fraction of a pixel at the end of an animation changes single pixels at edges; a changed digit exceeds this limit.
 */
const differingPixels = 40;

export async function sheetsOf(result: Buffer, format: Format): Promise<RenderedSheet[]> {
  if (format === 'png') return [await sheetOf(result)];
  const sheets: RenderedSheet[] = [];
  const { pages } = pdfFacts(result);
  for (let page = 1; page <= pages; page += 1) sheets.push(await sheetOf(pdfImage(result, pdfScale, page)));
  return sheets;
}

async function sheetOf(png: Buffer): Promise<RenderedSheet> {
  const { data, info } = await sharp(png, { limitInputPixels: false })
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Returns a message for each fact of the oracle that is not true; empty for a correct result. */
export function violatedFacts(
  oracle: Oracle,
  {
    result,
    format,
    sheets,
  }: { readonly result: Buffer; readonly format: Format; readonly sheets: readonly RenderedSheet[] },
): string[] {
  const wrong: string[] = [];
  if (format === 'pdf') {
    const text = pdfText(result).normalize('NFKC');
    for (const expectedText of oracle.texts ?? [])
      if (!text.includes(expectedText)) wrong.push(`the text "${expectedText}" is missing`);
    for (const unwanted of oracle.absentTexts ?? [])
      if (text.includes(unwanted)) wrong.push(`the text "${unwanted}" is still there`);
    for (const [pattern, times] of oracle.counts ?? []) {
      const found = text.match(new RegExp(pattern, 'g'))?.length ?? 0;
      if (found !== times) wrong.push(`${found} matches of ${pattern.source}, not ${times}`);
    }
    if (sheets.length < (oracle.pages ?? 1)) wrong.push(`${sheets.length} pages, not ${oracle.pages ?? 1}`);
  }
  const colours = { ...oracle.colours, ...(format === 'png' ? oracle.coloursOfPng : {}) };
  for (const [colour, area] of Object.entries(colours)) {
    const expectedArea = format === 'pdf' ? Math.round(area * pdfShare) : area;
    const found = sheets.reduce((sum, sheet) => sum + areaOf(sheet, colour), 0);
    if (found < expectedArea) wrong.push(`${found} pixels of ${colour}, fewer than ${expectedArea}`);
  }
  return wrong;
}

export function areaOf({ data }: RenderedSheet, colour: string): number {
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
export function differences(
  sheets: readonly RenderedSheet[],
  reference: readonly RenderedSheet[],
  maxPixels = differingPixels,
): string[] {
  if (sheets.length !== reference.length)
    return [`the result has ${sheets.length} pages, but the reference has ${reference.length}`];
  return sheets.flatMap((sheet, index) => {
    const referenceSheet = reference[index];
    if (referenceSheet?.width !== sheet.width || referenceSheet.height !== sheet.height)
      return [
        `the result is ${sheet.width} x ${sheet.height}, but the reference is ${referenceSheet?.width ?? 0} x ${referenceSheet?.height ?? 0}`,
      ];
    const { width, height, data } = sheet;
    const pixels = pixelmatch(data, referenceSheet.data, undefined, width, height, {
      threshold: pixelThreshold,
    });
    return pixels > maxPixels ? [`${pixels} pixels of sheet ${index + 1} differ from the reference`] : [];
  });
}
