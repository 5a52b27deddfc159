/** Gives the window the width of the layout and the media, where they differ from the job before. */
import type { Layout } from '../../job/layout.ts';
import type { Viewport } from '../cdp.ts';
import type { Loading } from '../loading.ts';

export async function emulate({ window, run, layout, layoutWidth }: Loading): Promise<void> {
  const viewport = viewportOf(layoutWidth, layout);
  const media = run.job.options.use_print_media ? 'print' : 'screen';
  const { emulated, cdp } = window;
  if (emulated.viewport?.width !== viewport.width || emulated.viewport.height !== viewport.height) {
    await cdp.setViewport(viewport);
  }
  if (emulated.media !== media) await cdp.setMedia(media);
  window.emulated = { viewport, media };
}

/** A frame of the window takes four bytes a pixel, so a very wide one must be low. */
const mostPixels = 16_000_000;

export function viewportOf(
  width: number,
  { aspect, height: asked }: Pick<Layout, 'aspect' | 'height'>,
): Viewport {
  const height = Math.min(asked ?? Math.round(width * aspect), Math.floor(mostPixels / width), 16_384);
  return { width, height: Math.max(height, 1) };
}
