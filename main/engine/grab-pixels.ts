/**
 * The pixels of a page as Chromium drew them. Nothing is encoded, which is most of a capture's time and stops the thread that
 * answers everybody (docs/decisions/0039-pixels.md).
 */
import type { Clip } from './clip.ts';
import type { Cdp } from './cdp.ts';
import type { Viewport } from './emulation.ts';

export interface Pixels {
  /** Blue, green, red and opacity, by which the colours are multiplied, a byte each; from the top down, without gaps. */
  readonly bytes: Buffer<ArrayBuffer>;
  /** Of a row. */
  readonly width: number;
}

/** Is given the pixels of each clip, from the top down; the next are drawn when it has taken them. */
export type TakePixels = (pixels: Pixels, index: number) => Promise<void>;

export interface Grabbed {
  readonly contents: Electron.WebContents;
  readonly cdp: Pick<Cdp, 'capture' | 'showWhole' | 'showPart' | 'setViewport'>;
  readonly emulated: { readonly viewport?: Viewport; readonly drawn?: boolean };
}

/** False where the pixels are not to be had, or not to be trusted: what was taken is worth nothing then. @throws what `take` throws */
export async function grabPixels(
  { contents, cdp, emulated }: Grabbed,
  clips: readonly Clip[],
  take: TakePixels,
): Promise<boolean> {
  const { viewport, drawn = false } = emulated;
  if (viewport === undefined) return false;
  const beyond = clips.some((clip) => clip.y + clip.height > viewport.height);
  const grab = grabber({ contents, cdp }, viewport);
  /** The last clip in which there is something that only a page shown whole has. */
  const proof: { clip?: Clip } = {};
  try {
    if (beyond) await cdp.showWhole();
    for (const [index, clip] of clips.entries()) {
      const pixels = await grab(clip);
      if (pixels === undefined) return false;
      if (isTelling(pixels, clip, viewport)) proof.clip = clip;
      await take(pixels, index);
    }
    if (!beyond || (proof.clip !== undefined && proof.clip === clips.at(-1))) return true;
    // What is shown whole no more stays so: a clip that still has something had it all the time.
    const again = proof.clip && (await grab(proof.clip));
    return again !== undefined && proof.clip !== undefined && isTelling(again, proof.clip, viewport);
  } finally {
    await cdp.setViewport(viewport, drawn).catch(() => {});
    // It makes Chromium set its preferences anew, of which showing whole is one.
    if (beyond && !contents.isDestroyed()) contents.setImageAnimationPolicy('animate');
  }
}

/** A capture waits until what is in view has been drawn and shown; a first frame may lack parts. */
const drawnToTheEnd = { format: 'jpeg', quality: 1, beyondViewport: false } as const;

/**
 * A copy is made of the first frame of a view's new size, which has all that was asked for before (viz::LocalSurfaceId); so no
 * view is as high as the one before.
 */
function grabber({ contents, cdp }: Pick<Grabbed, 'contents' | 'cdp'>, viewport: Viewport) {
  let last = 0;
  return async (clip: Clip): Promise<Pixels | undefined> => {
    const [width, height] = [Math.round(clip.width * clip.scale), Math.round(clip.height * clip.scale)];
    const shown = height + (last === height ? 1 : 0);
    last = shown;
    await cdp.showPart(viewport, clip, { width, height: shown });
    await cdp.capture({ ...clip, height: shown / clip.scale }, drawnToTheEnd);
    const image = await contents.capturePage({ x: 0, y: 0, width, height }).catch(() => undefined);
    if (image === undefined || image.isEmpty()) return undefined;
    const size = image.getSize();
    if (size.width !== width || size.height !== height) return undefined;
    return { bytes: image.toBitmap() as Buffer<ArrayBuffer>, width };
  };
}

/** Whether rows outside the viewport have more than one colour: of a page that ends with it, nothing is drawn there. */
function isTelling({ bytes, width }: Pixels, clip: Clip, viewport: Viewport): boolean {
  const inside = Math.max(0, Math.ceil((viewport.height - clip.y) * clip.scale) + 1);
  const outside = bytes.subarray(inside * width * 4);
  return outside.length > 4 && !outside.subarray(4).equals(outside.subarray(0, -4));
}
