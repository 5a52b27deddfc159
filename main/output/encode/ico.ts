/** Windows icon: a directory with one entry, which is a PNG (since Windows Vista), at most 256 x 256 pixels. */
import type { Sharp } from 'sharp';

const largest = 256;
const headers = 22;

/** A larger picture is scaled down to fit. */
export async function asIcon(picture: Sharp): Promise<Buffer> {
  const fitting = picture.resize({
    width: largest,
    height: largest,
    fit: 'inside',
    withoutEnlargement: true,
  });
  const { data, info } = await fitting.ensureAlpha().png().toBuffer({ resolveWithObject: true });
  const header = Buffer.alloc(headers);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  // 0 stands for 256.
  header.writeUInt8(info.width % largest, 6);
  header.writeUInt8(info.height % largest, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(data.length, 14);
  header.writeUInt32LE(headers, 18);
  return Buffer.concat([header, data]);
}
