/** Gives the window a layout's width, media, what lies under the page and the identity of a browser, where they differ from the job before. */
import { isDeepStrictEqual } from 'node:util';
import { colourUnder } from '../../job/image-formats.ts';
import { isImage } from '../../job/job.ts';
import type { Layout } from '../../job/layout.ts';
import type { Options } from '../../job/options.ts';
import type { Viewport } from '../emulation.ts';
import { blankPage } from '../job-document.ts';
import type { Loading } from '../loading.ts';
import { runtime } from '../seat.ts';
import { identityFor } from '../user-agent.ts';
import type { EngineWindow } from '../window.ts';

export async function emulate(loading: Loading): Promise<void> {
  await emulateScreen(loading);
  await emulateBrowser(loading);
}

async function emulateScreen(loading: Loading): Promise<void> {
  const { window, run, layout, layoutWidth } = loading;
  await layOutIn(loading, viewportOf(layoutWidth, layout));
  const media = run.job.options.use_print_media ? 'print' : 'screen';
  const { emulated, cdp } = window;
  if (emulated.media !== media) await cdp.setMedia(media);
  const background = await layUnder(window, run.job.options);
  window.emulated = { ...emulated, media, background };
}

/** Lays the page out in a viewport. It is drawn, too, where somebody will look: a log shows a picture of its page. */
export async function layOutIn(
  { window, run }: Pick<Loading, 'window' | 'run'>,
  viewport: Viewport,
): Promise<void> {
  const { emulated, cdp } = window;
  const drawn = isImage(run.job.options) || run.log.recorded;
  if (emulated.drawn === drawn && isDeepStrictEqual(emulated.viewport, viewport)) return;
  await cdp.setViewport(viewport, drawn);
  window.emulated = { ...emulated, viewport, drawn };
}

async function emulateBrowser({ window, source, run }: Loading): Promise<void> {
  const { disable_javascript: scriptless, load_iframes } = run.job.options;
  const frameless = load_iframes === 'none';
  const identity = identityFor(run.job.options, runtime());
  const { emulated, cdp } = window;
  // Also at a window's first job: Chromium by itself asks in the languages of the machine.
  if (!isDeepStrictEqual(identity, emulated.identity)) await cdp.setIdentity(identity);
  if (scriptless !== (emulated.scriptless ?? false)) {
    // Where no script runs, neither does page-preload.ts: what it clears in the window is cleared by a page before.
    if (scriptless) await window.contents.loadURL(blankPage);
    await cdp.setScriptless(scriptless);
  }
  if (frameless !== (emulated.frameless ?? false)) await cdp.setFrameless(frameless);
  const watched = run.log.recorded && source.scripts;
  if (watched !== (emulated.watched ?? false)) await cdp.setTimersWatched(watched);
  window.emulated = { ...emulated, identity, scriptless, frameless, watched };
}

/** Only pictures have something under them. */
async function layUnder({ cdp, emulated }: EngineWindow, options: Options): Promise<string | undefined> {
  const { background_color: colour, output_format: format } = options;
  const under = isImage(options) && colour !== undefined ? colourUnder(colour, format) : undefined;
  const background = under && `${under.r} ${under.g} ${under.b} ${under.a}`;
  if (emulated.background !== background) await cdp.setBackground(under);
  return background;
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
