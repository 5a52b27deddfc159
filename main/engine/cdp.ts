/** Chromium's DevTools protocol of one window: the few commands Electron has no method for, with types. */
import type { WebContents } from 'electron';
import { shortened } from '../job/problem.ts';
import { interceptDocuments, type RewriteType } from './intercept-documents.ts';
import type { BrowserIdentity } from './user-agent.ts';

export interface Viewport {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** In CSS pixels of the page; the picture is `scale` times as large. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

export interface PictureFormat {
  readonly format: 'png' | 'jpeg';
  /** 1..100, JPEG only. */
  readonly quality?: number;
}

export interface Cdp {
  readonly setViewport: (viewport: Viewport) => Promise<void>;
  readonly setMedia: (media: 'screen' | 'print') => Promise<void>;
  /** Runs a script in the page's own world; a promise it ends with is awaited. The error's text when it throws. */
  readonly evaluate: (script: string) => Promise<string | undefined>;
  readonly capture: (clip: Clip, format: PictureFormat) => Promise<Buffer>;
  readonly setIdentity: (identity: BrowserIdentity) => Promise<void>;
  /** The page's own scripts do not run; ours and the caller's do. */
  readonly setScriptless: (scriptless: boolean) => Promise<void>;
  /** Frames stay empty, whatever their documents come from. */
  readonly setFrameless: (frameless: boolean) => Promise<void>;
  /** Changes the Content-Type of documents from the network, of frames too; undefined: no more. */
  readonly rewriteDocuments: (rewrite: RewriteType | undefined) => Promise<void>;
  readonly collectGarbage: () => Promise<void>;
}

interface Evaluation {
  readonly exceptionDetails?: {
    readonly text: string;
    readonly lineNumber: number;
    readonly exception?: { readonly description?: string; readonly value?: string | number | boolean | null };
  };
}

/** Nobody is there to print to or to answer a prompt, and a window is not the page's to close, as in any browser. */
const nobodyThere = 'window.print = () => {}; window.prompt = () => null; window.close = () => {};';

/** Attaches the protocol. The window must have loaded something: Chromium 130 crashes on metrics before that. */
export async function attachCdp(contents: WebContents): Promise<Cdp> {
  contents.debugger.attach('1.3');
  const send: Send = (method, parameters) => contents.debugger.sendCommand(method, parameters);
  // A scroll bar takes width that paper and pictures do not have: the page would be measured in another layout.
  await send('Emulation.setScrollbarsHidden', { hidden: true });
  await send('Page.enable');
  await send('Page.addScriptToEvaluateOnNewDocument', { source: nobodyThere });
  return {
    async evaluate(expression) {
      const parameters = { expression, awaitPromise: true, silent: true };
      try {
        const { exceptionDetails } = (await send('Runtime.evaluate', parameters)) as Evaluation;
        return exceptionDetails && describe(exceptionDetails);
      } catch (problem) {
        // The script has sent the page elsewhere.
        if (/context was destroyed|navigated or closed/i.test(String(problem))) return undefined;
        throw problem;
      }
    },
    async capture(clip, { format, quality }) {
      const options = {
        format,
        ...(quality !== undefined && { quality }),
        clip,
        captureBeyondViewport: true,
      };
      const { data } = (await send('Page.captureScreenshot', options)) as { data: string };
      return Buffer.from(data, 'base64');
    },
    ...emulation(send),
    setFrameless: emptyingFrames(send),
    rewriteDocuments: interceptDocuments(contents.debugger),
    async collectGarbage() {
      await send('HeapProfiler.collectGarbage');
    },
  };
}

type Send = (method: string, parameters?: object) => Promise<unknown>;

function emulation(send: Send): Pick<Cdp, 'setViewport' | 'setMedia' | 'setIdentity' | 'setScriptless'> {
  return {
    async setViewport(viewport) {
      // Without a size of the screen it is 0 x 0, and a page's rules for phones apply.
      const screen = { screenWidth: viewport.width, screenHeight: viewport.height };
      await send('Emulation.setDeviceMetricsOverride', {
        ...viewport,
        ...screen,
        deviceScaleFactor: 1,
        mobile: false,
      });
    },
    async setMedia(media) {
      await send('Emulation.setEmulatedMedia', { media });
    },
    async setIdentity(identity) {
      await send('Emulation.setUserAgentOverride', userAgentOverride(identity));
      await send('Emulation.setLocaleOverride', { locale: identity.locale });
    },
    async setScriptless(value) {
      await send('Emulation.setScriptExecutionDisabled', { value });
    },
  };
}

/**
 * A frame whose document is an attribute (srcdoc) is no request that could be cancelled; it begins to load after observers
 * were told of the attribute.
 */
const emptyFrames = `new MutationObserver(() => {
  for (const frame of document.querySelectorAll('iframe[srcdoc]')) frame.removeAttribute('srcdoc');
}).observe(document, { subtree: true, childList: true, attributeFilter: ['srcdoc'] });`;

function emptyingFrames(send: Send): Cdp['setFrameless'] {
  let added: { readonly identifier: string } | undefined;
  return async (frameless) => {
    if (added !== undefined) await send('Page.removeScriptToEvaluateOnNewDocument', added);
    // Without it Chromium would run the script no earlier than the first of the page's own.
    await send(frameless ? 'Runtime.enable' : 'Runtime.disable');
    const script = { source: emptyFrames, worldName: 'platen' };
    added = frameless
      ? ((await send('Page.addScriptToEvaluateOnNewDocument', script)) as { identifier: string })
      : undefined;
  };
}

function userAgentOverride({ userAgent, languages, platform, hints }: BrowserIdentity): object {
  return {
    ...{ userAgent, acceptLanguage: languages },
    ...(platform !== undefined && { platform }),
    ...(hints !== undefined && { userAgentMetadata: hints }),
  };
}

/** First line of the error, with the line of the script; the page's functions it calls have lines of their own. */
function describe({ text, lineNumber, exception }: NonNullable<Evaluation['exceptionDetails']>): string {
  const said = exception?.description ?? (exception?.value === undefined ? text : String(exception.value));
  const line = /^ +at .*<anonymous>:(\d+):\d+\)?$/m.exec(said)?.[1] ?? lineNumber + 1;
  return `${shortened(said.split('\n')[0] ?? text)} (line ${line})`;
}
