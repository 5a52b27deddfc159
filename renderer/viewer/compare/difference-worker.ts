/** Compares pixels in a worker, so that the window stays responsive. */
import { compare, type PixelData } from './pixels.ts';

export interface Question {
  readonly id: number;
  readonly a: PixelData;
  readonly b: PixelData;
}

export interface Answer {
  readonly id: number;
  readonly differing: number;
  readonly of: number;
  readonly mask: ImageBitmap | undefined;
}

addEventListener('message', ({ data: { id, a, b } }: MessageEvent<Question>) => {
  void answer(id, a, b);
});

async function answer(id: number, a: PixelData, b: PixelData): Promise<void> {
  const { differing, of, mask } = compare(a, b);
  const picture = mask && (await createImageBitmap(new ImageData(mask.data, mask.width, mask.height)));
  const message: Answer = { id, differing, of, mask: picture };
  postMessage(message, { transfer: picture ? [picture] : [] });
}
