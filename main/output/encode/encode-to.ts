/** Bands become a picture in a file: by sharp where it makes the format, else by an encoder of our own. */
import { writeFile } from 'node:fs/promises';
import type { ImageFormat } from '../../job/image-formats.ts';
import { openBmp } from './bmp.ts';
import { asIcon } from './ico.ts';
import { openPbm, openPgm, openPpm } from './netpbm.ts';
import { loadSharp } from '../sharp.ts';
import type { EncodingOrder } from './order.ts';
import type { OpenRaster } from './raster.ts';
import { openSgi } from './sgi.ts';
import { stitched, withSharp, type SharpFormat } from './stitched.ts';
import { openSunRaster } from './sun-raster.ts';
import { openTga } from './tga.ts';
import { writeRaster } from './write-raster.ts';

const rasters: Record<Exclude<ImageFormat, SharpFormat | 'ico'>, OpenRaster> = {
  bmp: openBmp,
  ppm: openPpm,
  pnm: openPpm,
  pgm: openPgm,
  pbm: openPbm,
  tga: openTga,
  sgi: openSgi,
  ras: openSunRaster,
  sun: openSunRaster,
};

/** @throws Error when sharp cannot make it. */
export async function encodeTo(out: string, order: EncodingOrder): Promise<void> {
  const { format } = order;
  // Nothing is read twice.
  loadSharp().cache(false);
  if (format in rasters) await writeRaster(out, order, rasters[format as keyof typeof rasters]);
  else if (format === 'ico') await writeFile(out, await asIcon(stitched(order)));
  else await withSharp(order, format as SharpFormat).toFile(out);
}
