/** Notes PDF documents that are many times larger than what the page loaded, and names the pictures that are the cause. */
import { callPageScript } from '../devtools/evaluate.ts';
import type { Page } from '../page.ts';
import type { PictureCauses } from '../page-scripts/examine/pictures.ts';
import { displayUrl } from '../requests/shown-address.ts';
import type { WindowRun } from '../window-run.ts';
import { formatNumber, listed, shortAddress, shortText } from '../../log/findings/phrases.ts';

/** In bytes. The size of a smaller document is no problem. */
const minBytes = 2_000_000;
const minRatio = 10;
/** The share of the document that unpacked pictures must take. A script may write thousands of rows from a few bytes. */
const minShare = 1 / 2;

/** What may have made a document too large. */
export interface OversizedCauses extends PictureCauses {
  /** The bytes that the page loaded. */
  readonly loaded: number;
}

/** The sizes of a finished document and of its parts in bytes. */
interface DocumentSizes {
  readonly total: number;
  /** Of the images that are not JPEG files. */
  readonly unpacked: number;
  /** The largest of these images. */
  readonly unpackedImages: readonly {
    readonly width: number;
    readonly height: number;
    readonly bytes: number;
  }[];
}

/** Returns the causes if the printed document is many times its sources. Call this while the window shows the page. */
export async function oversizedCauses(
  { window: { contents, context }, source }: Page,
  printed: Buffer,
  { log }: WindowRun,
): Promise<OversizedCauses | undefined> {
  const sent = source.kind === 'document' ? source.bytes.length : 0;
  const loaded = sent + context.document.servedBytes() + context.guard.transferredBytes();
  if (!isOversized(printed.length, loaded)) return undefined;
  const causes = await log.timeStage('find large pictures', () =>
    callPageScript(contents, 'pictures.findPictureCauses'),
  );
  return { ...causes, loaded };
}

function isOversized(bytes: number, loaded: number): boolean {
  return bytes > minBytes && bytes > loaded * minRatio;
}

/** Notes the causes if the finished document is many times its sources, mostly because of pictures. */
export function noteOversized(
  { total, unpacked, unpackedImages }: DocumentSizes,
  { loaded, pictures, effects }: OversizedCauses,
  { log }: WindowRun,
): void {
  if (!isOversized(total, loaded) || unpacked < total * minShare) return;
  const images = unpackedImages.map(({ width, height, bytes }) => {
    const picture = pictures.find((candidate) => candidate.width === width && candidate.height === height);
    return { width, height, bytes, picture };
  });
  const names = listed(images, ({ width, height, bytes, picture }) => {
    const size = `${formatNumber(width)} × ${formatNumber(height)} px, ${megabytes(bytes)}`;
    return picture === undefined ? `one of ${size}` : `${shortAddress(displayUrl(picture.name))} (${size})`;
  });
  const isDrawn = images.some(({ picture }) => picture === undefined);
  const drawn =
    isDrawn && effects.length > 0
      ? ` Style that is drawn as pictures: ${listed(effects, (effect) => shortText(effect))}; remove shadows and filters for print (@media print).`
      : '';
  log.note(
    `The document has ${megabytes(total)}, ${formatNumber(Math.floor(total / Math.max(loaded, 1)))} times the ${megabytes(loaded)} that were loaded, because a PDF stores pictures other than JPEG files without their compression. The largest: ${names}.${drawn} Send photographs as JPEG files, or set convert_images_to_jpeg=opaque; image_dpi=150 reduces their pixels.`,
    { code: 'output-oversized', options: ['convert_images_to_jpeg', 'jpeg_quality', 'image_dpi'] },
  );
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${formatNumber(bytes / 1000)} kB` : `${formatNumber(bytes / 1_000_000)} MB`;
}
