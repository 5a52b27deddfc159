/** Writes an uncompressed format band by band, so that no more than one is in memory. */
import { open, type FileHandle } from 'node:fs/promises';
import { loadSharp } from '../sharp.ts';
import type { EncodingOrder } from './order.ts';
import type { OpenRaster, Piece, Rows } from './raster.ts';

export async function writeRaster(out: string, order: EncodingOrder, openRaster: OpenRaster): Promise<void> {
  const raster = openRaster(order);
  await using file = await open(out, 'w');
  await writeAll(file, { at: 0, bytes: raster.header });
  let top = 0;
  for (const band of order.bands) {
    const rows = await rowsOf(band, top);
    for (const piece of raster.place(rows)) await writeAll(file, piece);
    top += rows.height;
  }
}

/** A disk that is getting full takes a part, and says so at the next try only (write(2)). */
async function writeAll(file: FileHandle, { at, bytes }: Piece): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

async function rowsOf(band: string, top: number): Promise<Rows> {
  const picture = loadSharp()(band, { limitInputPixels: false }).removeAlpha().toColourspace('srgb').raw();
  const { data: pixels, info } = await picture.toBuffer({ resolveWithObject: true });
  return { top, width: info.width, height: info.height, pixels };
}
