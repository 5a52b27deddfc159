/** Gives the window the width of the layout and the media, where they differ from the job before. */
import type { Viewport } from '../cdp.ts';
import type { Loading } from '../loading.ts';

export async function emulate({ window, run, layout, layoutWidth }: Loading): Promise<void> {
  const viewport = viewportOf(layoutWidth, layout.aspect);
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

export function viewportOf(width: number, aspect: number): Viewport {
  const height = Math.min(Math.round(width * aspect), Math.floor(mostPixels / width), 16_384);
  return { width, height: Math.max(height, 1) };
}
