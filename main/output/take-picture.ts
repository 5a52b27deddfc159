/** The picture of a page as bands: parts of a PNG where pixels can be had, else files that Chromium has encoded. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WindowRun } from '../engine/engine.ts';
import type { Page } from '../engine/page.ts';
import type { BandPart } from './png/band.ts';
import { pictureOf } from './png/picture.ts';
import type { Press } from './png/press.ts';
import type { PictureSize } from './picture-size.ts';
import { captureBands, grabBands } from './tiles.ts';

/** Of zlib. What is read again at once need not be small. */
export const levels = { picture: 4, between: 1 } as const;

/** A part of a PNG, with the rows of the picture that it holds. */
export interface Part extends BandPart {
  readonly height: number;
}

export interface Wanted {
  readonly size: PictureSize;
  /** The opacity is kept. */
  readonly alpha: boolean;
  readonly press: Press;
  readonly level: number;
  /** Is given the parts from the top down. */
  readonly keep: (part: Part) => unknown;
}

/** False where pixels are not to be had: what was kept is worth nothing then. One band is encoded while the next is drawn. */
export async function takeParts(page: Page, run: WindowRun, wanted: Wanted): Promise<boolean> {
  const { size, alpha, press, level, keep } = wanted;
  let last: Promise<unknown> = Promise.resolve();
  const done = await grabBands(page, run, {
    size,
    async take({ bytes, width }) {
      await last;
      const height = bytes.length / (width * 4);
      const encoding = press.encode({ pixels: bytes, width, alpha, level }, run.signal);
      last = encoding.then((part) => keep({ ...part, height }));
      // Whoever waits for it is told.
      last.catch(() => {});
    },
  });
  await last;
  return done;
}

/** Files that hold a picture as PNG, in bands from the top down; all but the last are equally high. */
export interface BandFiles extends AsyncDisposable {
  readonly bands: readonly string[];
  /** Where they lie, and what is made of them may lie; gone with them. */
  readonly folder: string;
}

/** Takes the picture into files of the job's folder. */
export async function takeFiles(
  page: Page,
  run: WindowRun,
  wanted: Omit<Wanted, 'level' | 'keep'>,
): Promise<BandFiles> {
  const { size, alpha } = wanted;
  const folder = await mkdtemp(join(run.folder, 'picture-'));
  const bands: string[] = [];
  const write = async (png: Buffer) => {
    const file = join(folder, `${bands.length}.png`);
    bands.push(file);
    await writeFile(file, png);
  };
  const keep = (part: Part) => write(pictureOf({ width: size.width, height: part.height, alpha }, [part]));
  if (!(await takeParts(page, run, { ...wanted, level: levels.between, keep }))) {
    bands.length = 0;
    await captureBands(page, run, { size, take: write });
  }
  return { bands, folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
