/** A window as the engine uses it: its operations and its state. */
import type { WebContents } from 'electron';
import type { Rgba } from '../../job/image-formats.ts';
import type { Cdp } from '../devtools/cdp.ts';
import type { Viewport } from '../devtools/emulation.ts';
import type { PlatformFont } from '../devtools/platform-fonts.ts';
import type { BrowserIdentity } from '../devtools/user-agent.ts';
import type { DiagnosticsBudget } from '../diagnostics/diagnostics-budget.ts';
import { openPage } from '../requests/job-document.ts';
import type { BrowserContext } from './browser-context.ts';
import type { PrintSettings } from './print.ts';
import type { Visits } from './visits.ts';

/**
 * Static windows, for documents without scripts, draw one frame a second, which increases throughput by a tenth. Dynamic windows,
 * for documents with scripts and for images, draw 60 frames a second. At one frame a second, scripts would get one animation frame
 * a second, and a higher rate takes a second to have an effect.
 */
export type WindowKind = 'static' | 'dynamic';

export const windowKinds: readonly WindowKind[] = ['static', 'dynamic'];

export const framesPerSecond = { static: 1, dynamic: 60 } as const;

/**
 * The page that a window shows between two jobs. `about:blank` is shown by the renderer of the previous page, which the next page
 * of the same site then reuses. If the page in between had the scheme `platen:`, Chromium would start two renderers.
 */
export const emptyPages = { static: openPage, dynamic: 'about:blank' } as const;

/** The emulation that is set in the window. An absent property has Chromium's default. */
export interface Emulation {
  readonly viewport?: Viewport;
  /** The page is drawn at the size of its layout. */
  readonly isDrawn?: boolean;
  readonly media?: 'screen' | 'print';
  /** Colour behind the page. */
  readonly background?: Rgba | undefined;
  readonly identity?: BrowserIdentity;
  readonly scriptsDisabled?: boolean;
  readonly framesDisabled?: boolean;
  /** Dialogs are recorded for the debug log. */
  readonly dialogsRecorded?: boolean;
  readonly encoding?: string | undefined;
}

export interface EngineWindow {
  readonly kind: WindowKind;
  readonly context: BrowserContext;
  readonly contents: WebContents;
  readonly cdp: Cdp;
  readonly print: (settings: PrintSettings) => Promise<Buffer>;
  /** Captures an image with `clip.scale` pixels for each CSS pixel, whatever the device pixel ratio. */
  readonly capture: Cdp['capture'];
  readonly visits: Visits;
  /** Time budget of diagnostics while jobs are queued. */
  readonly diagnosticsBudget: DiagnosticsBudget;
  /** The fonts with which Chromium draws a text style, by style. Contains only fonts of the machine, which do not change. */
  readonly fontCache: Map<string, readonly PlatformFont[]>;
  /** Number of jobs started in this window. */
  jobCount: number;
  /** The site whose pages the renderer has shown (site-isolation.ts); undefined before the first page. */
  site: string | undefined;
  /** The page of the last job used much memory (MemoryWatch.wasHigh). */
  usedMuchMemory: boolean;
  /** The current emulation. Only what differs for the next job is set. */
  emulation: Emulation;
  /** The main frame may not navigate. */
  isNavigationBlocked: boolean;
  /** Why the window must not be used again; undefined while it works. */
  brokenReason: string | undefined;
  /** A pending print or capture, during which the window must not be destroyed (electron#30753). */
  pendingOutput: Promise<unknown> | undefined;
  /** A pending capture, during which the renderer must not be ended. */
  pendingCapture: Promise<unknown> | undefined;
}
