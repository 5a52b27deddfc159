/**
 * One offscreen window with a renderer and a seat of its own; re-used for many jobs.
 * It knows how to be loaded, looked into, printed and captured; it knows no job's options.
 */
import { join } from 'node:path';
import { BrowserWindow, type Session, type WebContents } from 'electron';
import { openAllowance, type Allowance } from './allowance.ts';
import { attachCdp, type Cdp } from './cdp.ts';
import { noteSite } from './change-site.ts';
import { confine } from './confine.ts';
import { undrawn, type Viewport } from './emulation.ts';
import { endRenderer } from './end-renderer.ts';
import { openPage } from './job-document.ts';
import type { PlatformFont } from './platform-fonts.ts';
import { openPageRules } from './page-rules.ts';
import { printToPdf, type PrintSettings } from './print.ts';
import { watchQuestions, type Questions } from './questions.ts';
import type { Seat } from './seat.ts';
import type { BrowserIdentity } from './user-agent.ts';
import { watchVisits, type Visits } from './visits.ts';
import { within } from './within.ts';

/**
 * Slow frames for documents that run no script (a tenth more of them), full frames for those that do and for pictures:
 * at 1 frame/s scripts see animation frames once a second, and raising the rate takes a second to have an effect.
 */
export type WindowKind = 'still' | 'live';

export const windowKinds: readonly WindowKind[] = ['still', 'live'];

export const framesPerSecond = { still: 1, live: 60 } as const;

/**
 * What it shows when it has to be emptied. `about:blank` stays in the renderer of the page before, and the next page of the same
 * site too; on the way to any address of ours and back two renderers are started.
 */
export const emptyPages = { still: openPage, live: 'about:blank' } as const;

/** What a page is told that differs from what the window is by itself. */
export interface Emulation {
  readonly viewport?: Viewport;
  /** The page is drawn as large as it is laid out. */
  readonly drawn?: boolean;
  readonly media?: 'screen' | 'print';
  /** What lies under the page, as red, green, blue and alpha. */
  readonly background?: string | undefined;
  readonly identity?: BrowserIdentity;
  readonly scriptless?: boolean;
  readonly frameless?: boolean;
  /** Its timers are watched, for the debug log. */
  readonly watched?: boolean;
  readonly encoding?: string | undefined;
}

export interface EngineWindow {
  readonly kind: WindowKind;
  readonly seat: Seat;
  readonly contents: WebContents;
  readonly cdp: Cdp;
  readonly print: (settings: PrintSettings) => Promise<Buffer>;
  readonly capture: Cdp['capture'];
  readonly visits: Visits;
  readonly questions: Questions;
  /** For what is worth its time in the log of a single job, and would not be in those of all. */
  readonly allowance: Allowance;
  /** What text in a style is drawn with, by the style: fonts of the machine, which stay. */
  readonly knownFonts: Map<string, readonly PlatformFont[]>;
  /** Jobs begun in it. */
  jobs: number;
  /** Whose pages its renderer has shown (change-site.ts); undefined before the first. */
  site: string | undefined;
  /** That page had much in memory. */
  heavy: boolean;
  /** Emulation in force, to set it only when it changes. */
  emulated: Emulation;
  /** The page is ready: it may not go elsewhere any more. */
  frozen: boolean;
  /** Why it must not be used again; undefined while it is sound. */
  broken: string | undefined;
  /** A print or capture is pending: then it must not be destroyed (electron#30753). */
  busy: Promise<unknown> | undefined;
  /** A capture is pending: then its renderer must not be ended. */
  capturing: Promise<unknown> | undefined;
}

/** A hundred times what opening takes. */
const openingPatience = 15_000;

/**
 * Opens a window that is ready to load, on a seat nobody else sits on. Takes about 150 ms. `sheet` is CSS that all its pages have.
 * @throws Error when it is not ready in time; nothing is left of it then
 */
export async function openWindow(kind: WindowKind, seat: Seat, sheet: string): Promise<EngineWindow> {
  const window = new BrowserWindow({ show: false, ...undrawn, webPreferences: preferences(seat.session) });
  const { webContents: contents } = window;
  const visits = watchVisits(contents, sheet);
  try {
    return await within(openingPatience, makeReady({ window, kind, seat, visits }));
  } catch (problem) {
    await endRenderer({ contents });
    if (!window.isDestroyed()) window.destroy();
    throw problem;
  }
}

interface Unready extends Pick<EngineWindow, 'kind' | 'seat' | 'visits'> {
  readonly window: BrowserWindow;
}

async function makeReady({ window, kind, seat, visits }: Unready): Promise<EngineWindow> {
  const { webContents: contents } = window;
  contents.setFrameRate(framesPerSecond[kind]);
  // Pages have their frames all the same; what ends is that each is handed to us, megabytes that V8 collects.
  contents.stopPainting();
  const questions = watchQuestions(contents);
  confine(window, seat, () => engineWindow.frozen);
  await contents.loadURL(emptyPages[kind]);
  const [cdp, setRules] = [await attachCdp(contents), openPageRules(contents)];
  const busily = <T>(work: Promise<T>): Promise<T> => {
    engineWindow.busy = work;
    return work.finally(() => (engineWindow.busy = undefined));
  };
  const engineWindow: EngineWindow = {
    ...{ kind, seat, contents, cdp, visits, questions, knownFonts: new Map() },
    allowance: openAllowance(0.01, 100),
    print: (settings) => busily(printToPdf({ contents, setRules }, settings)),
    capture(clip, format) {
      const capturing = busily(cdp.capture(clip, format));
      engineWindow.capturing = capturing;
      return capturing.finally(() => (engineWindow.capturing = undefined));
    },
    ...{ jobs: 0, site: undefined, heavy: false, emulated: {}, frozen: false },
    ...{ broken: undefined, busy: undefined, capturing: undefined },
  };
  contents.on('did-navigate', (_event, url) => {
    noteSite(engineWindow, url);
  });
  contents.on('render-process-gone', (_event, { reason }) => {
    engineWindow.broken ??= reason;
    // It would be waited for in vain.
    engineWindow.capturing = undefined;
  });
  contents.on('destroyed', () => (engineWindow.broken = 'closed'));
  return engineWindow;
}

/** Ends a window; a pending print is ended first, by the renderer's death. Its seat is free then, and not yet clean. */
export async function destroyWindow(window: EngineWindow): Promise<void> {
  const { contents, busy } = window;
  if (busy !== undefined || window.broken !== undefined) await endRenderer(window);
  // A print whose renderer died fails within milliseconds, or never.
  if (busy !== undefined) await within(1000, busy).catch(() => {});
  if (!contents.isDestroyed()) BrowserWindow.fromWebContents(contents)?.destroy();
  window.questions.forget();
}

function preferences(session: Session): Electron.WebPreferences {
  return {
    session,
    offscreen: true,
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
