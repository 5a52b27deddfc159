/**
 * Captures a Page as an image. Chromium captures small PNG and JPEG images as a whole, and a finishing thread recompresses the PNG.
 * All other images are captured in bands, which a subprocess joins and encodes.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { outputFailed } from '../../engine/renderer-loss.ts';
import { contentHeight } from '../../engine/devtools/content-box.ts';
import type { CaptureFormat } from '../../engine/devtools/cdp.ts';
import type { WindowRun } from '../../engine/window-run.ts';
import { moveFixedToEnd } from '../../engine/loading/steps/fixed-elements.ts';
import { diagnosePage } from '../../engine/diagnostics/page-diagnostics.ts';
import { diagnosePrint } from '../../engine/diagnostics/print-diagnostics.ts';
import type { Page } from '../../engine/page.ts';
import { isOutOfResources, outOfResources, reportsMissingResource } from '../../failure/failure.ts';
import { imageContentTypes, isTranslucent, type ImageFormat } from '../../job/image-formats.ts';
import { endOf, startSubprocess } from '../../subprocess/start.ts';
import { noteImageLayout, noteImageSize } from '../note-layout.ts';
import { checkOutputSize, type Output, type OutputDependencies } from '../output.ts';
import {
  checkSize,
  sizeOf,
  type ImageSize,
  bandsOf,
  captureBands,
  clipOf,
  isInViewport,
  whileFrozen,
} from './bands.ts';
import type { EncodingTask } from './encode/encoding-task.ts';

interface ImageOptions extends OutputDependencies {
  readonly format: ImageFormat;
}

/** @throws Failure tooComplex if the image exceeds the limits of Chromium or of its format */
export async function produceImage(page: Page, run: WindowRun, imageOptions: ImageOptions): Promise<Output> {
  const { format, maxOutputBytes } = imageOptions;
  const { layoutWidth, window } = page;
  const pageHeight = await contentHeight(window.contents);
  const size = sizeOf(run.job.options, layoutWidth, pageHeight);
  checkSize(size, format);
  noteImageLayout(page, pageHeight, size, run);
  if (run.job.options.screenshot_height === undefined) await moveFixedToEnd(page, pageHeight);
  const diagnostics = await diagnosePage(page, run, { density: size.width / layoutWidth });
  const isSingleCapture = (format === 'png' || format === 'jpg') && bandsOf(size, format).length === 1;
  const bytes = await (isSingleCapture
    ? captureWhole({ page, run, size, ...imageOptions })
    : captureAndEncode({ page, run, size, ...imageOptions }));
  checkOutputSize(maxOutputBytes, bytes.length, run.job.options);
  noteImageSize(bytes, run);
  await diagnosePrint(page, run, { diagnostics });
  return { bytes, contentType: imageContentTypes[format] };
}

async function captureWhole({ page, run, size, format, finisher }: CapturedImage): Promise<Buffer> {
  const clip = clipOf({ top: 0, height: size.height }, size);
  const shown = isInViewport(page, size);
  const capture = (captureFormat: CaptureFormat) =>
    run.log.timeStage('capture', () =>
      whileFrozen(page, run, () =>
        page.window.capture(clip, { ...captureFormat, isInViewport: shown }),
      ).catch(tooComplex),
    );
  if (format === 'jpg') return await capture({ format: 'jpeg', quality: run.job.options.image_quality });
  const bytes = await capture({ format: 'png', fast: true });
  return await run.log.timeStage('encode', () => finisher.repack(bytes));
}

interface CapturedImage extends ImageOptions {
  readonly page: Page;
  readonly run: WindowRun;
  readonly size: ImageSize;
}

async function captureAndEncode({ page, run, size, format, maxOutputBytes }: CapturedImage): Promise<Buffer> {
  const { width, height } = size;
  const { background_color, image_quality: quality } = run.job.options;
  // The encoder loads its libraries during the capture.
  await using encoder = startEncoder(run.signal);
  await using captured = await run.log.timeStage('capture', () =>
    captureBands(page, run, { size, format }).catch(tooComplex),
  );
  if (format === 'ico' && Math.max(width, height) > 256)
    run.log.note('An icon is at most 256 x 256 pixels, so the image was scaled down.', {
      code: 'image-reduced',
      options: ['output_format', 'screenshot_width', 'screenshot_height'],
    });
  const hasAlpha = isTranslucent(background_color);
  const task = { ...captured, width, height, format, quality, hasAlpha };
  return await run.log.timeStage('encode', async () => {
    const file = await encoder.encode(task);
    checkOutputSize(maxOutputBytes, (await stat(file)).size, run.job.options);
    return await readFile(file);
  });
}

function tooComplex(cause: unknown): never {
  if (isOutOfResources(cause)) throw outOfResources(cause);
  throw outputFailed('The page is too complex to capture; make the image smaller.', cause);
}

// The encoder runs in a separate Node process. On Linux, sharp and Electron each load their own GLib, and a process with both may
// crash (electron#46323). A separate process also keeps the service responsive during encoding.

const encoderPath = join(import.meta.dirname, 'image-encoder.cjs');

interface Encoder extends AsyncDisposable {
  /**
   * Encodes the bands. Returns the path of the encoded image, in the folder of the task. Call this at most once.
   * @throws Failure unavailable if the disk is full or another resource is used up; Error with the message of the encoder if encoding
   * fails; Error if the signal aborts
   */
  readonly encode: (task: EncodingTask) => Promise<string>;
}

/** Starts the encoder, which waits for its task. Disposal ends it. */
function startEncoder(signal: AbortSignal): Encoder {
  const child = startSubprocess(process.env.PLATEN_NODE ?? process.execPath, [encoderPath], {
    stdio: ['pipe', 'ignore', 'pipe'],
    signal,
    // PLATEN_NODE is the path of the launcher's Node. Electron works too, with a slower build of sharp. The messages on standard
    // error are searched below, so they must be in English.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '', LC_ALL: 'C' },
  });
  // If no file descriptors are free, the process does not start and has no streams.
  const ended = Promise.all([endOf(child), child.stderr ? text(child.stderr) : '']);
  // The capture may fail first.
  ended.catch(() => {});
  return {
    async encode(task) {
      const out = join(task.folder, `image.${task.format}`);
      // A broken pipe: the encoder has ended, and its exit code shows why.
      child.stdin?.on('error', () => {}).end(JSON.stringify({ ...task, out }));
      const [{ code }, message] = await ended;
      if (code === 0) return out;
      const problem = new Error(
        `The encoder ended with ${code === null ? 'a signal' : `code ${code}`}: ${message}`,
      );
      throw reportsMissingResource(message) ? outOfResources(problem) : problem;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended.catch(() => {});
    },
  };
}
