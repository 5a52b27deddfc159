/** Writes an uncompressed format band by band, so that no more than one is in memory. */
import { open } from 'node:fs/promises';
import { loadSharp } from '../sharp.ts';
import type { EncodingOrder } from './order.ts';
import type { OpenRaster, Rows } from './raster.ts';

export async function writeRaster(out: string, order: EncodingOrder, openRaster: OpenRaster): Promise<void> {
  const raster = openRaster(order);
  await using file = await open(out, 'w');
  await file.write(raster.header, 0, raster.header.length, 0);
  let top = 0;
  for (const band of order.bands) {
    const rows = await rowsOf(band, top);
    for (const { at, bytes } of raster.place(rows)) await file.write(bytes, 0, bytes.length, at);
    top += rows.height;
  }
}

async function rowsOf(band: string, top: number): Promise<Rows> {
  const picture = loadSharp()(band, { limitInputPixels: false }).removeAlpha().toColourspace('srgb').raw();
  const { data: pixels, info } = await picture.toBuffer({ resolveWithObject: true });
  return { top, width: info.width, height: info.height, pixels };
}
