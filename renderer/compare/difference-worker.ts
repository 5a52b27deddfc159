/** Compares pixels in a worker, so that the console stays responsive. */
import { compare, type PixelData } from '../../main/comparison/pixels.ts';

export interface ComparisonTask {
  readonly id: number;
  readonly a: PixelData;
  readonly b: PixelData;
}

export interface ComparisonResult {
  readonly id: number;
  readonly differing: number;
  readonly total: number;
  readonly mask: ImageBitmap | undefined;
}

addEventListener('message', ({ data: { id, a, b } }: MessageEvent<ComparisonTask>) => {
  void postResult(id, a, b);
});

async function postResult(id: number, a: PixelData, b: PixelData): Promise<void> {
  const { differing, total, mask } = compare(a, b);
  const image = mask && (await createImageBitmap(new ImageData(mask.data, mask.width, mask.height)));
  const message: ComparisonResult = { id, differing, total, mask: image };
  postMessage(message, { transfer: image ? [image] : [] });
}
