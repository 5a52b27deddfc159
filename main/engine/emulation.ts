/** What a window makes a page believe, by the DevTools protocol: its screen, its browser, what runs in it. */
import type { Rgba } from '../job/image-formats.ts';
import type { RuntimeDomain } from './runtime-domain.ts';
import { listTimers, watchTimers } from './programs/timers.ts';
import type { BrowserIdentity } from './user-agent.ts';

export interface Viewport {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Emulations {
  /** The size of the layout; `drawn`: also that of the frames, which are megabytes each, and which a print needs none of. */
  readonly setViewport: (viewport: Viewport, drawn: boolean) => Promise<void>;
  readonly setMedia: (media: 'screen' | 'print') => Promise<void>;
  /** What lies under a page in a picture; white without one. */
  readonly setBackground: (colour: Rgba | undefined) => Promise<void>;
  readonly setIdentity: (identity: BrowserIdentity) => Promise<void>;
  /** The page's own scripts do not run; ours and the caller's do. */
  readonly setScriptless: (scriptless: boolean) => Promise<void>;
  /** Frames stay empty, whatever their documents come from. */
  readonly setFrameless: (frameless: boolean) => Promise<void>;
  /** The page's timers can be asked for (programs/timers.ts). */
  readonly setTimersWatched: (watched: boolean) => Promise<void>;
  /** Stops animations, and scripts when told, until what it returns is called. Animated images go on. */
  readonly freeze: (scripts: boolean) => Promise<() => Promise<void>>;
}

/** A window's size where nobody looks at it, in pixels. */
export const undrawn = { width: 64, height: 64 } as const;

export type Send = (method: string, parameters?: object) => Promise<unknown>;

export function emulations(send: Send, runtime: RuntimeDomain): Emulations {
  return {
    async setViewport(viewport, drawn) {
      // Without a size of the screen it is 0 x 0, and a page's rules for phones apply.
      const screen = { screenWidth: viewport.width, screenHeight: viewport.height };
      const device = { deviceScaleFactor: 1, mobile: false };
      const metrics = { ...viewport, ...screen, ...device, dontSetVisibleSize: !drawn };
      await send('Emulation.setDeviceMetricsOverride', metrics);
      // Deprecated: without it a view that a picture has made large stays so.
      if (!drawn) await send('Emulation.setVisibleSize', undrawn).catch(() => {});
    },
    async setMedia(media) {
      await send('Emulation.setEmulatedMedia', { media, features: usualFeatures });
    },
    async setBackground(color) {
      await send('Emulation.setDefaultBackgroundColorOverride', { ...(color !== undefined && { color }) });
    },
    async setIdentity(identity) {
      await send('Emulation.setUserAgentOverride', userAgentOverride(identity));
      await send('Emulation.setLocaleOverride', { locale: identity.locale });
    },
    async setScriptless(value) {
      await send('Emulation.setScriptExecutionDisabled', { value });
    },
    setFrameless: emptyingFrames(send, runtime),
    setTimersWatched: watchingTimers(send),
    freeze: (scripts) => freeze(send, scripts),
  };
}

/** A document must not depend on what whoever sits at the machine prefers (Media Queries 5, 12). */
const usualFeatures = [
  { name: 'prefers-color-scheme', value: 'light' },
  { name: 'prefers-reduced-motion', value: 'no-preference' },
  { name: 'prefers-contrast', value: 'no-preference' },
  { name: 'forced-colors', value: 'none' },
] as const;

function userAgentOverride({ userAgent, languages, platform, hints }: BrowserIdentity): object {
  return {
    ...{ userAgent, acceptLanguage: languages },
    ...(platform !== undefined && { platform }),
    ...(hints !== undefined && { userAgentMetadata: hints }),
  };
}

/**
 * A frame whose document is an attribute (srcdoc) is no request that could be cancelled; it begins to load after observers
 * were told of the attribute.
 */
const emptyFrames = `new MutationObserver(() => {
  for (const frame of document.querySelectorAll('iframe[srcdoc]')) frame.removeAttribute('srcdoc');
}).observe(document, { subtree: true, childList: true, attributeFilter: ['srcdoc'] });`;

function emptyingFrames(send: Send, runtime: RuntimeDomain): Emulations['setFrameless'] {
  const setScript = scriptBeforePages(send, { source: emptyFrames, worldName: 'platen' });
  return async (frameless) => {
    // Without it Chromium would run the script no earlier than the first of the page's own.
    await runtime('frameless', frameless);
    await setScript(frameless);
  };
}

function watchingTimers(send: Send): Emulations['setTimersWatched'] {
  return scriptBeforePages(send, { source: `(${watchTimers.toString()})((${listTimers.toString()})())` });
}

/** Turns a script on and off that runs before those of a page. */
function scriptBeforePages(send: Send, script: object): (wanted: boolean) => Promise<void> {
  let added: { readonly identifier: string } | undefined;
  return async (wanted) => {
    if (added !== undefined) await send('Page.removeScriptToEvaluateOnNewDocument', added);
    added = wanted
      ? ((await send('Page.addScriptToEvaluateOnNewDocument', script)) as { identifier: string })
      : undefined;
  };
}

/** A page must be the same in all bands of a picture. */
async function freeze(send: Send, scripts: boolean): Promise<() => Promise<void>> {
  await send('Animation.enable');
  await send('Animation.setPlaybackRate', { playbackRate: 0 });
  if (scripts) await send('Emulation.setScriptExecutionDisabled', { value: true });
  return async () => {
    await send('Animation.setPlaybackRate', { playbackRate: 1 });
    await send('Animation.disable');
    if (scripts) await send('Emulation.setScriptExecutionDisabled', { value: false });
  };
}
