/** What the job's log says of an output's size: which fonts and images make it as large as it is. */
import type { WindowRun } from '../engine/engine.ts';
import { sizesOf } from './reading/sizes.ts';

/** Of a PDF. */
export function noteSizes(bytes: Buffer, { log }: WindowRun): void {
  if (!log.recorded) return;
  const sizes = sizesOf(bytes);
  const { total, fonts, images, rest } = sizes;
  const text = `${kilobytes(total)} in all: fonts ${kilobytes(fonts)}, images ${kilobytes(images)}, the rest ${kilobytes(rest)}.`;
  log.write({ kind: 'sizes', text, detail: sizes });
}

/** Of a picture, which is one piece. */
export function notePictureSize({ length: total }: Buffer, { log }: WindowRun): void {
  const detail = { total, fonts: 0, images: total, rest: 0, largest: [] };
  log.write({ kind: 'sizes', text: `${kilobytes(total)} in all.`, detail });
}

function kilobytes(bytes: number): string {
  return bytes < 10_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${Math.round(bytes / 1000)} kB`;
}
