/** A Page captured: as Chromium encodes it where that will do (a PNG is packed then), else in bands that are stitched and encoded. */
import { readFile, stat } from 'node:fs/promises';
import { notProduced } from '../engine/browser-fault.ts';
import { contentHeight } from '../engine/content-box.ts';
import type { PictureFormat } from '../engine/cdp.ts';
import type { WindowRun } from '../engine/engine.ts';
import { lookAtPage } from '../engine/look-at-page.ts';
import { lookAtPrint } from '../engine/look-at-print.ts';
import type { Page } from '../engine/page.ts';
import { noRoom } from '../failure/failure.ts';
import { hasNoRoom } from '../failure/no-room.ts';
import { imageTypes, isTranslucent, type ImageFormat } from '../job/image-formats.ts';
import { encodePicture } from './encode.ts';
import { notePictureLayout } from './note-layout.ts';
import { notePictureSize } from './note-sizes.ts';
import { refuseBeyond } from './output-limit.ts';
import type { Output } from './output.ts';
import { checkSize, sizeOf, type PictureSize } from './picture-size.ts';
import type { Means } from './produce.ts';
import { bandsOf, captureBands, clipOf } from './tiles.ts';

interface Wished extends Means {
  readonly format: ImageFormat;
}

/** @throws Failure tooComplex when the picture would be too large to be right, or for its format. */
export async function produceImage(page: Page, run: WindowRun, wished: Wished): Promise<Output> {
  const { format, maxOutput } = wished;
  const { layoutWidth, window } = page;
  const tall = await contentHeight(window.contents);
  const size = sizeOf(run.job.options, layoutWidth, tall);
  checkSize(size, format);
  notePictureLayout(page, tall, size, run);
  const look = await lookAtPage(page, run, size.width / layoutWidth);
  const direct = (format === 'png' || format === 'jpg') && bandsOf(size, format).length === 1;
  const bytes = await (direct
    ? captureWhole({ page, run, size, ...wished })
    : captureAndEncode({ page, run, size, ...wished }));
  refuseBeyond(maxOutput, bytes.length, run.job.options);
  notePictureSize(bytes, run);
  await lookAtPrint(page, run, { look });
  return { bytes, contentType: imageTypes[format] };
}

async function captureWhole({ page, run, size, format, finisher }: Picture): Promise<Buffer> {
  const clip = clipOf({ top: 0, height: size.height }, size);
  const capture = (picture: PictureFormat) =>
    run.log.time('capture', () => page.window.capture(clip, picture).catch(tooComplex));
  if (format === 'jpg') return await capture({ format: 'jpeg', quality: run.job.options.image_quality });
  const bytes = await capture({ format: 'png', fast: true });
  return await run.log.time('encode', () => finisher.repack(bytes));
}

interface Picture extends Wished {
  readonly page: Page;
  readonly run: WindowRun;
  readonly size: PictureSize;
}

async function captureAndEncode({ page, run, size, format, maxOutput }: Picture): Promise<Buffer> {
  const { width, height } = size;
  const { background_color, image_quality: quality } = run.job.options;
  await using captured = await run.log.time('capture', () =>
    captureBands(page, run, { size, format }).catch(tooComplex),
  );
  if (format === 'ico' && Math.max(width, height) > 256)
    run.log.note('An icon is at most 256 x 256 pixels, so the picture was scaled down.', {
      code: 'picture-reduced',
      options: ['output_format', 'screenshot_width', 'screenshot_height'],
    });
  const alpha = isTranslucent(background_color);
  const order = { ...captured, width, height, format, quality, alpha };
  return await run.log.time('encode', async () => {
    const file = await encodePicture(order, run.signal);
    refuseBeyond(maxOutput, (await stat(file)).size, run.job.options);
    return await readFile(file);
  });
}

function tooComplex(cause: unknown): never {
  if (hasNoRoom(cause)) throw noRoom(cause);
  throw notProduced('The page is too complex to be captured; make the picture smaller.', cause);
}
