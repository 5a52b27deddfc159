/** Emulation over the DevTools protocol: the screen, media type and browser identity of a page, and what may run in it. */
import type { Rgba } from '../../job/image-formats.ts';
import type { RuntimeDomain, SendCommand } from './evaluate.ts';
import { recordDialogs } from '../page-scripts/dialogs.ts';
import type { BrowserIdentity } from './user-agent.ts';

export interface Viewport {
  /** Size in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels for each CSS pixel; a page reads it as devicePixelRatio. */
  readonly ratio: number;
}

export interface Emulations {
  /**
   * Sets the size of the layout. `drawn`: Chromium also draws the page at this size, which prints do not need and which takes
   * megabytes.
   */
  readonly setViewport: (viewport: Viewport, drawn: boolean) => Promise<void>;
  readonly setMedia: (media: 'screen' | 'print') => Promise<void>;
  /** Sets the colour behind the page in images. The default is white. */
  readonly setBackground: (colour: Rgba | undefined) => Promise<void>;
  readonly setIdentity: (identity: BrowserIdentity) => Promise<void>;
  /** Disables the page's own scripts. The scripts of the service and of the caller still run. */
  readonly setScriptsDisabled: (scriptless: boolean) => Promise<void>;
  /** Keeps frames with srcdoc empty. Requests for the documents of other frames are refused by request-rules.ts. */
  readonly setFramesDisabled: (frameless: boolean) => Promise<void>;
  /** Records the dialogs that a page opens (page-scripts/dialogs.ts). */
  readonly setDialogsRecorded: (recorded: boolean) => Promise<void>;
  /** Stops animations, and also scripts if `scripts` is true. Returns a function that resumes them. Animated images continue. */
  readonly freeze: (scripts: boolean) => Promise<() => Promise<void>>;
}

/** The size, in pixels, of a window whose page does not have to be drawn. */
export const undrawnSize = { width: 64, height: 64 } as const;

export function emulations(send: SendCommand, runtime: RuntimeDomain): Emulations {
  return {
    async setViewport({ width, height, ratio }, drawn) {
      // Without a screen size, the screen would be 0 x 0 pixels, and media queries for phones would match.
      const screen = { screenWidth: width, screenHeight: height };
      const device = { deviceScaleFactor: ratio, mobile: false };
      const metrics = { width, height, ...screen, ...device, dontSetVisibleSize: !drawn };
      await send('Emulation.setDeviceMetricsOverride', metrics);
      // This command is deprecated, but without it a view that a capture has enlarged would keep its size.
      if (!drawn) await send('Emulation.setVisibleSize', undrawnSize).catch(() => {});
    },
    async setMedia(media) {
      await send('Emulation.setEmulatedMedia', { media, features: defaultMediaFeatures });
    },
    async setBackground(color) {
      await send('Emulation.setDefaultBackgroundColorOverride', { ...(color !== undefined && { color }) });
    },
    async setIdentity(identity) {
      await send('Emulation.setUserAgentOverride', userAgentOverride(identity));
      await send('Emulation.setLocaleOverride', { locale: identity.locale });
    },
    async setScriptsDisabled(value) {
      await send('Emulation.setScriptExecutionDisabled', { value });
    },
    setFramesDisabled: frameEmptier(send, runtime),
    setDialogsRecorded: earlyScript(send, { source: `(${recordDialogs.toString()})()` }),
    freeze: (scripts) => freeze(send, scripts),
  };
}

/** Documents must not depend on the preferences of the machine's user (Media Queries 5, section 12). */
const defaultMediaFeatures = [
  { name: 'prefers-color-scheme', value: 'light' },
  { name: 'prefers-reduced-motion', value: 'no-preference' },
  { name: 'prefers-contrast', value: 'no-preference' },
  { name: 'forced-colors', value: 'none' },
] as const;

function userAgentOverride({ userAgent, languages, platform, hints }: BrowserIdentity): object {
  return {
    userAgent,
    acceptLanguage: languages,
    ...(platform !== undefined && { platform }),
    ...(hints !== undefined && { userAgentMetadata: hints }),
  };
}

/**
 * Removes srcdoc attributes. A srcdoc frame makes no request that could be cancelled. However, it starts to load only after
 * mutation observers have run, so an observer can still empty it.
 */
const emptyFrames = `new MutationObserver(() => {
  for (const frame of document.querySelectorAll('iframe[srcdoc]')) frame.removeAttribute('srcdoc');
}).observe(document, { subtree: true, childList: true, attributeFilter: ['srcdoc'] });`;

function frameEmptier(send: SendCommand, runtime: RuntimeDomain): Emulations['setFramesDisabled'] {
  const setScript = earlyScript(send, { source: emptyFrames, worldName: 'platen' });
  return async (frameless) => {
    // Unless the Runtime domain is enabled, Chromium delays this script until the page's first script runs.
    await runtime('frameless', frameless);
    await setScript(frameless);
  };
}

/** Returns a function that adds or removes a script that runs in each new document before the page's own scripts. */
function earlyScript(send: SendCommand, script: object): (isEnabled: boolean) => Promise<void> {
  let added: { readonly identifier: string } | undefined;
  return async (isEnabled) => {
    if (added !== undefined) await send('Page.removeScriptToEvaluateOnNewDocument', added);
    added = isEnabled
      ? ((await send('Page.addScriptToEvaluateOnNewDocument', script)) as { identifier: string })
      : undefined;
  };
}

/**
 * Stops animations and, if `scripts` is true, scripts during a capture, because all bands of an image must show the same state of
 * the page. Scripts must also stop because a capture beyond the viewport briefly lays the page out at 1 x 1 pixel. A chart whose
 * script reads that size stays blank (puppeteer issue 7251).
 */
async function freeze(send: SendCommand, scripts: boolean): Promise<() => Promise<void>> {
  await Promise.all([
    send('Animation.enable'),
    send('Animation.setPlaybackRate', { playbackRate: 0 }),
    ...(scripts ? [send('Emulation.setScriptExecutionDisabled', { value: true })] : []),
  ]);
  return async () => {
    await Promise.all([
      send('Animation.setPlaybackRate', { playbackRate: 1 }),
      send('Animation.disable'),
      ...(scripts ? [send('Emulation.setScriptExecutionDisabled', { value: false })] : []),
    ]);
  };
}
