/**
 * Opens and destroys offscreen windows, each with its own renderer and browser context, that are reused for many jobs. A window can
 * be loaded, inspected, printed and captured. This file does not depend on the options of jobs.
 */
import { join } from 'node:path';
import { BrowserWindow, type Session, type WebFrameMain } from 'electron';
import { attachCdp } from '../devtools/cdp.ts';
import { dropPendingCalls } from '../devtools/page-calls.ts';
import { emptyPages, framesPerSecond, type EngineWindow, type WindowKind } from './engine-window.ts';
import { noteSite } from './site-isolation.ts';
import { DiagnosticsBudget, defaultBudget } from '../diagnostics/diagnostics-budget.ts';
import { restrictWindow } from './window-restrictions.ts';
import { undrawnSize } from '../devtools/emulation.ts';
import { destroyContents, endRenderer } from './end-renderer.ts';
import { offscreen } from './electron-adapter.ts';
import { openPageRules, printToPdf } from './print.ts';
import type { BrowserContext } from './browser-context.ts';
import { watchVisits, type Visits } from './visits.ts';
import { withTimeout } from '../../async/signals.ts';
import { callInPage } from '../devtools/evaluate.ts';
import { RendererLost } from '../renderer-loss.ts';

/** A hundred times the usual time to open a window. */
const openingTimeoutMs = 15_000;

/**
 * Opens a window that is ready to load pages. Takes about 150 ms. No other window may use `context`. `sheet`: style sheet that is
 * inserted into every page of the window.
 * @throws Error if the window is not ready in time; the window is then destroyed
 */
export async function openWindow(
  kind: WindowKind,
  context: BrowserContext,
  sheet: string,
): Promise<EngineWindow> {
  const window = new BrowserWindow({
    show: false,
    ...undrawnSize,
    webPreferences: preferences(context.session),
  });
  const { webContents: contents } = window;
  const visits = watchVisits(contents, sheet);
  try {
    return await withTimeout(openingTimeoutMs, makeReady({ window, kind, context, visits }));
  } catch (problem) {
    await endRenderer({ contents });
    destroyContents(contents);
    throw problem;
  }
}

interface NewWindow extends Pick<EngineWindow, 'kind' | 'context' | 'visits'> {
  readonly window: BrowserWindow;
}

async function makeReady({ window, kind, context, visits }: NewWindow): Promise<EngineWindow> {
  const { webContents: contents } = window;
  contents.setFrameRate(framesPerSecond[kind]);
  // Pages still get animation frames, but Electron no longer copies each drawn frame to the main process, where V8 would have to
  // collect megabytes of garbage.
  contents.stopPainting();
  restrictWindow(window, context, () => engineWindow.isNavigationBlocked);
  await contents.loadURL(emptyPages[kind]);
  const cdp = await attachCdp(contents, kind === 'dynamic');
  const setRules = openPageRules(contents);
  const trackOutput = <T>(work: Promise<T>): Promise<T> => {
    engineWindow.pendingOutput = work;
    return work.finally(() => (engineWindow.pendingOutput = undefined));
  };
  const engineWindow: EngineWindow = {
    kind,
    context,
    contents,
    cdp,
    visits,
    fontCache: new Map(),
    diagnosticsBudget: new DiagnosticsBudget(defaultBudget),
    print: (settings) =>
      trackOutput(printInMedia(engineWindow, () => printToPdf({ contents, setRules }, settings))),
    capture(clip, format) {
      // Chromium multiplies the scale by the device pixel ratio.
      const scale = clip.scale / (engineWindow.emulation.viewport?.ratio ?? 1);
      const capturing = trackOutput(cdp.capture({ ...clip, scale }, format));
      engineWindow.pendingCapture = capturing;
      return capturing.finally(() => (engineWindow.pendingCapture = undefined));
    },
    jobCount: 0,
    site: undefined,
    usedMuchMemory: false,
    emulation: {},
    isNavigationBlocked: false,
    brokenReason: undefined,
    pendingOutput: undefined,
    pendingCapture: undefined,
  };
  contents.on('frame-created', (_event, { frame }) => {
    runInEmptyFrame(frame, visits);
  });
  contents.on('did-start-navigation', ({ frame, url, isSameDocument }) => {
    if (!isSameDocument) context.document.noteNavigation(frame, url);
  });
  contents.on('did-navigate', (_event, url) => {
    noteSite(engineWindow, url);
  });
  contents.on('render-process-gone', (_event, { reason }) => {
    engineWindow.brokenReason ??= reason;
    // The capture will never finish.
    engineWindow.pendingCapture = undefined;
  });
  contents.on('destroyed', () => (engineWindow.brokenReason = 'closed'));
  return engineWindow;
}

/**
 * Runs the script in the initial empty document of a new iframe. Chromium reuses the JavaScript context of the empty document for the
 * iframe's own document if something has used it: a script of the page (`contentWindow`), a call of the service, or the protocol's
 * Runtime domain, which is enabled for a recorded debug log. Then it runs no preload or DevTools scripts there.
 */
function runInEmptyFrame(frame: WebFrameMain | null, visits: Visits): void {
  if (!frame?.parent || visits.documentScript === undefined || visits.emptyFramesLeft === 0) return;
  // A frame of another site is in another process, where Chromium does run preload scripts.
  if (frame.processId !== frame.parent.processId) return;
  visits.emptyFramesLeft -= 1;
  // The frame may no longer exist.
  frame.executeJavaScript(`${visits.documentScript}; 0`).catch(() => {});
}

/**
 * Destroys a window. Ends its renderer first if a print or capture is pending or the window is broken. Afterwards the context is no
 * longer in use, but it is not clean yet.
 */
export async function destroyWindow(window: EngineWindow): Promise<void> {
  const { contents, pendingOutput } = window;
  if (pendingOutput !== undefined || window.brokenReason !== undefined) await endRenderer(window);
  // A print that lost its renderer fails within milliseconds or never settles.
  if (pendingOutput !== undefined) await withTimeout(1000, pendingOutput).catch(() => {});
  destroyContents(contents);
  dropPendingCalls(contents);
}

function preferences(session: Session): Electron.WebPreferences {
  return {
    session,
    offscreen,
    preload: join(__dirname, 'page-preload.cjs'),
    nodeIntegrationInSubFrames: true,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    backgroundThrottling: false,
    disableDialogs: true,
    spellcheck: false,
    webgl: true,
    plugins: false,
    navigateOnDragDrop: false,
    devTools: false,
  };
}

// Ensures that a page is printed with the media type for which it was laid out. Without emulation, Chromium prints with the media
// type `print`. A window that has lost its emulation, for instance because its renderer was swapped, would print a different page.

type Media = NonNullable<EngineWindow['emulation']['media']>;

/** Time for the page to report whether its media type was right. Without a reply, it is assumed to be right. */
const answerTimeoutMs = 1000;

/**
 * Prints with the emulated media type and returns the PDF.
 * @throws RendererLost if the page was printed with another media type, which marks the window as broken; whatever `print` throws
 */
async function printInMedia(
  window: Pick<EngineWindow, 'contents' | 'cdp' | 'kind' | 'emulation' | 'brokenReason'>,
  print: () => Promise<Buffer>,
): Promise<Buffer> {
  const { media } = window.emulation;
  if (media === undefined) return print();
  // Only scripts can move a page to another renderer.
  if (window.kind !== 'dynamic') return print();
  // Chromium 130 drops the emulated media type of one frameset in five while its frames load, and then prints with `print`
  // (media-queries-003-print.html of web-platform-tests).
  await window.cdp.setMedia(media);
  await callInPage(window.contents, watchMedia, media);
  const bytes = await print();
  const wasRightMedia = await withTimeout(answerTimeoutMs, callInPage(window.contents, wasInMedia)).catch(
    () => true,
  );
  if (wasRightMedia) return bytes;
  window.brokenReason ??= `a page was not printed in the media ${media}`;
  throw new RendererLost(window.brokenReason);
}

interface MediaWatchGlobals {
  platenMedia?: { readonly query: MediaQueryList; right: boolean };
}

/**
 * Records whether the media type changes. Runs inside the page, which reports a change caused by printing before the print ends.
 */
function watchMedia(media: Media): void {
  const query = matchMedia('print');
  const isPrint = media === 'print';
  const watch = { query, right: query.matches === isPrint };
  (globalThis as MediaWatchGlobals).platenMedia = watch;
  query.onchange = ({ matches }) => {
    if (matches !== isPrint) watch.right = false;
  };
}

/** Returns whether the page has had the right media type since `watchMedia`. Runs inside the page. */
function wasInMedia(): boolean {
  const watch = (globalThis as MediaWatchGlobals).platenMedia;
  if (watch === undefined) return true;
  watch.query.onchange = null;
  delete (globalThis as MediaWatchGlobals).platenMedia;
  return watch.right;
}
