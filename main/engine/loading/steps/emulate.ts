/**
 * Sets the window's viewport, media type, background, browser identity, and whether scripts and frames run. Sets only what differs
 * from the previous job. Also stores the job's cookies.
 */
import { isDeepStrictEqual } from 'node:util';
import { isIP } from 'node:net';
import { backgroundColour, type Rgba } from '../../../job/image-formats.ts';
import { isImage } from '../../../job/job.ts';
import type { Layout } from '../../../job/layout.ts';
import type { Options } from '../../../job/options.ts';
import type { Source } from '../../../input/source.ts';
import type { Viewport } from '../../devtools/emulation.ts';
import type { WindowRun } from '../../window-run.ts';
import { blankPage } from '../../requests/job-document.ts';
import type { Loading, StepWork } from '../loading.ts';
import { pageScriptCall } from '../../devtools/evaluate.ts';
import { chromiumInfo } from '../../window/browser-context.ts';
import { identityFor } from '../../devtools/user-agent.ts';
import type { Emulation } from '../../window/engine-window.ts';
import { showsInlineDocumentPage } from '../inline-document.ts';
import { emptyDocument } from './write.ts';
import { Failure } from '../../../failure/failure.ts';

export async function emulate(loading: Loading): Promise<void> {
  const { window, source, run } = loading;
  const wanted = emulationFor(loading);
  // An inline document of the previous job, which recycle.ts leaves in the page, must not react to changes or be recorded.
  if (showsInlineDocumentPage(window) && (run.log.isRecorded || !isDeepStrictEqual(wanted, window.emulation)))
    await emptyDocument(window);
  await applyEmulation(loading, wanted);
  window.visits.documentScript = await frameScript(source, run);
}

function emulationFor(loading: Loading) {
  const { window, source, run, layout, layoutWidth } = loading;
  const { options } = run.job;
  return {
    ...window.emulation,
    viewport: viewportOf(layoutWidth, layout, options),
    isDrawn: isDrawn(loading),
    media: options.use_print_media ? 'print' : 'screen',
    background: backgroundOf(options),
    identity: identityFor(options, chromiumInfo()),
    scriptsDisabled: options.disable_javascript,
    framesDisabled: options.load_iframes === 'none',
    dialogsRecorded: run.log.isRecorded && source.scripts,
  } satisfies Emulation;
}

async function applyEmulation(loading: Loading, wanted: ReturnType<typeof emulationFor>): Promise<void> {
  const { window } = loading;
  await setViewport(loading, wanted.viewport);
  const { emulation, cdp } = window;
  const { media, background, identity, scriptsDisabled, framesDisabled, dialogsRecorded } = wanted;
  if (emulation.media !== media) await cdp.setMedia(media);
  if (!isDeepStrictEqual(emulation.background, background)) await cdp.setBackground(background);
  // Also needed for a window's first job: by default Chromium sends the languages of the machine.
  if (!isDeepStrictEqual(emulation.identity, identity)) await cdp.setIdentity(identity);
  if (scriptsDisabled !== (emulation.scriptsDisabled ?? false)) {
    // While scripts are disabled, page-preload.ts does not run. Therefore first load an empty page, in which page-preload.ts clears
    // window.name and storage.
    if (scriptsDisabled) await window.contents.loadURL(blankPage);
    await cdp.setScriptsDisabled(scriptsDisabled);
  }
  if (framesDisabled !== (emulation.framesDisabled ?? false)) await cdp.setFramesDisabled(framesDisabled);
  if (dialogsRecorded !== (emulation.dialogsRecorded ?? false)) await cdp.setDialogsRecorded(dialogsRecorded);
  window.emulation = wanted;
}

/**
 * Sets the viewport in which the page is laid out. The page is drawn at this size only for images and for the screenshot in a
 * recorded debug log, which a static window draws from the layout.
 */
export async function setViewport(
  loading: Pick<Loading, 'window' | 'run'>,
  viewport: Viewport,
): Promise<void> {
  const { window } = loading;
  const { emulation, cdp } = window;
  const drawn = isDrawn(loading);
  if (emulation.isDrawn === drawn && isDeepStrictEqual(emulation.viewport, viewport)) return;
  await cdp.setViewport(viewport, drawn);
  window.emulation = { ...emulation, viewport, isDrawn: drawn };
}

function isDrawn({ window, run }: Pick<Loading, 'window' | 'run'>): boolean {
  return isImage(run.job.options) || (run.log.isRecorded && window.kind === 'dynamic');
}

/** Returns the code that runs in each frame before the page's own scripts, or undefined if scripts are disabled. */
async function frameScript(source: Source, { job, log }: WindowRun): Promise<string | undefined> {
  if (!source.scripts || job.options.disable_javascript) return undefined;
  return pageScriptCall('settling.install', { traced: log.isRecorded });
}

/** Returns the colour behind the page, which only images have; undefined for the default. */
function backgroundOf(options: Options): Rgba | undefined {
  const { background_color: colour, output_format: format } = options;
  return isImage(options) && colour !== undefined ? backgroundColour(colour, format) : undefined;
}

/**
 * Maximum area of the viewport in CSS pixels. A drawn page takes four bytes for each pixel, so a very wide viewport is less high.
 */
const maxPixels = 16_000_000;

/** Maximum area of the viewport in device pixels. A larger viewport gets a smaller device pixel ratio than requested. */
const maxDevicePixels = 4 * maxPixels;

export function viewportOf(
  width: number,
  { aspect, height: requestedHeight }: Pick<Layout, 'aspect' | 'height'>,
  options: Options,
): Viewport {
  const maxHeight = Math.min(Math.floor(maxPixels / width), 16_384);
  const height = Math.max(Math.min(requestedHeight ?? Math.round(width * aspect), maxHeight), 1);
  const maxRatio = Math.max(1, Math.sqrt(maxDevicePixels / (width * height)));
  return { width, height, ratio: Math.min(pixelRatioFor(width, options), maxRatio) };
}

/**
 * Returns device_pixel_ratio if it is given. Otherwise returns 1 for a PDF. For an image, returns its scale, limited to the range 1
 * to 4, so that canvases and srcset images have the resolution of the image (docs/decisions/0044-device-pixel-ratio.md).
 */
function pixelRatioFor(layoutWidth: number, options: Options): number {
  const { device_pixel_ratio, screenshot_width, scale_factor } = options;
  if (device_pixel_ratio !== undefined) return device_pixel_ratio;
  if (!isImage(options)) return 1;
  const scale = (screenshot_width * scale_factor) / 100 / layoutWidth;
  return Math.min(Math.max(scale, 1), 4);
}

/**
 * `cookies`: stores the cookies for a remote page in the window's session, where the page's scripts can read them too.
 * @throws Failure valueNotAllowed for a cookie that Chromium rejects
 */
export function setCookies(loading: Loading): StepWork | undefined {
  const { source, run } = loading;
  const { cookies } = run.job.options;
  if (cookies === undefined || source.kind !== 'remote') return undefined;
  return () => storeCookies(loading, cookies, source.url);
}

async function storeCookies(
  { window, run }: Loading,
  cookies: readonly { readonly name: string; readonly value: string }[],
  { origin, hostname, protocol }: URL,
): Promise<void> {
  const domain = domainFor(hostname);
  await Promise.all(
    cookies.map(async ({ name, value }) => {
      const secure = protocol === 'https:';
      // A cookie with this name prefix must not have a domain (RFC 6265bis, 4.1.3.2).
      const hasDomain = domain !== undefined && !/^__Host-/i.test(name);
      const cookie = { url: `${origin}/`, path: '/', name, value, secure, ...(hasDomain && { domain }) };
      await window.context.session.cookies.set(cookie).catch((cause: unknown) => {
        const message = `The cookie '${name}' of cookies is not valid for this address.`;
        throw new Failure('valueNotAllowed', message, { cause });
      });
    }),
  );
  run.log.setStageReason(
    `${cookies.length} cookie${cookies.length === 1 ? '' : 's'} set for ${domain ?? hostname}`,
  );
}

/**
 * Returns the domain for the cookies of a host: the host name without `www.`. Returns undefined, for host-only cookies, if the host
 * has no subdomains: an IP address or a name without a dot.
 */
function domainFor(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0 || !bare.includes('.')) return undefined;
  return hostname.replace(/^www\.(?=.*\.)/, '');
}
