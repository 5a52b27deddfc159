/** A Page captured: as PNG of its pixels, as JPEG by Chromium, else in bands that a process of its own makes into a picture. */
import { readFile, stat } from 'node:fs/promises';
import { notProduced } from '../engine/browser-fault.ts';
import { contentHeight } from '../engine/content-box.ts';
import type { WindowRun } from '../engine/engine.ts';
import { lookAtPage } from '../engine/look-at-page.ts';
import { lookAtPrint } from '../engine/look-at-print.ts';
import type { Page } from '../engine/page.ts';
import { Failure, noRoom } from '../failure/failure.ts';
import { hasNoRoom } from '../failure/no-room.ts';
import { imageTypes, isTranslucent, type ImageFormat } from '../job/image-formats.ts';
import { encodePicture } from './encode.ts';
import { notePictureLayout } from './note-layout.ts';
import { notePictureSize } from './note-sizes.ts';
import { refuseBeyond } from './output-limit.ts';
import type { Output } from './output.ts';
import { checkSize, sizeOf, type PictureSize } from './picture-size.ts';
import { pictureOf } from './png/picture.ts';
import type { Press } from './png/press.ts';
import { levels, takeFiles, takeParts, type Part } from './take-picture.ts';
import { clipOf } from './tiles.ts';

interface Wished {
  readonly format: ImageFormat;
  /** Bytes. */
  readonly maxOutput: number;
  readonly press: Press;
}

/** Up to here Chromium encodes a JPEG itself, in 45 ms for text and 0.1 s for noise. */
const wholeJpegPixels = 4_000_000;

/** @throws Failure tooComplex when the picture would be too large to be right, or for its format. */
export async function produceImage(page: Page, run: WindowRun, wished: Wished): Promise<Output> {
  const { layoutWidth, window } = page;
  const { format, maxOutput } = wished;
  const tall = await contentHeight(window.contents);
  const size = sizeOf(run.job.options, layoutWidth, tall);
  checkSize(size, format);
  notePictureLayout(page, tall, size, run);
  const look = await lookAtPage(page, run, size.width / layoutWidth);
  const bytes = await picture({ ...wished, page, run, size });
  refuseBeyond(maxOutput, bytes.length, run.job.options);
  notePictureSize(bytes, run);
  await lookAtPrint(page, run, { look });
  return { bytes, contentType: imageTypes[format] };
}

interface Picture extends Wished {
  readonly page: Page;
  readonly run: WindowRun;
  readonly size: PictureSize;
}

async function picture(wanted: Picture): Promise<Buffer> {
  const { format, size } = wanted;
  if (format === 'jpg' && size.width * size.height <= wholeJpegPixels) return await captureJpeg(wanted);
  const png = format === 'png' ? await takePng(wanted) : undefined;
  return png ?? (await takeAndEncode(wanted));
}

function captureJpeg({ page: { window }, run, size }: Picture): Promise<Buffer> {
  const clip = clipOf({ top: 0, height: size.height }, size);
  const beyondViewport = clip.height > (window.emulated.viewport?.height ?? 0);
  const how = { format: 'jpeg', quality: run.job.options.image_quality, beyondViewport } as const;
  return run.log.time('capture', () => window.capture(clip, how).catch(tooComplex));
}

/** Undefined where pixels are not to be had. */
async function takePng({ page, run, size, press, maxOutput }: Picture): Promise<Buffer | undefined> {
  const { options } = run.job;
  const alpha = isTranslucent(options.background_color);
  const parts: Part[] = [];
  let bytes = 0;
  const keep = (part: Part) => {
    parts.push(part);
    bytes += part.chunk.length;
    refuseBeyond(maxOutput, bytes, options);
  };
  const wanted = { size, alpha, press, level: levels.picture, keep };
  const done = await run.log.time('capture', () => takeParts(page, run, wanted).catch(tooComplex));
  return done ? pictureOf({ width: size.width, height: size.height, alpha }, parts) : undefined;
}

async function takeAndEncode({ page, run, size, format, maxOutput, press }: Picture): Promise<Buffer> {
  const { width, height } = size;
  const { background_color, image_quality: quality } = run.job.options;
  const alpha = isTranslucent(background_color);
  await using captured = await run.log.time('capture', () =>
    takeFiles(page, run, { size, alpha, press }).catch(tooComplex),
  );
  if (format === 'ico' && Math.max(width, height) > 256)
    run.log.note('An icon is at most 256 x 256 pixels, so the picture was scaled down.', {
      code: 'picture-reduced',
      options: ['output_format', 'screenshot_width', 'screenshot_height'],
    });
  const order = { ...captured, width, height, format, quality, alpha };
  return await run.log.time('encode', async () => {
    const file = await encodePicture(order, run.signal);
    refuseBeyond(maxOutput, (await stat(file)).size, run.job.options);
    return await readFile(file);
  });
}

function tooComplex(cause: unknown): never {
  if (cause instanceof Failure) throw cause;
  if (hasNoRoom(cause)) throw noRoom(cause);
  throw notProduced('The page is too complex to be captured; make the picture smaller.', cause);
}
