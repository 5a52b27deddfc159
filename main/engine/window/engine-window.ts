/** A window as the engine uses it: its operations and its state. */
import type { WebContents } from 'electron';
import type { Cdp } from '../devtools/cdp.ts';
import type { Viewport } from '../devtools/emulation.ts';
import type { PlatformFont } from '../devtools/platform-fonts.ts';
import type { BrowserIdentity } from '../devtools/user-agent.ts';
import type { DiagnosticsBudget } from '../diagnostics/diagnostics-budget.ts';
import { openPage } from '../requests/job-document.ts';
import type { BrowserContext } from './browser-context.ts';
import type { PendingReplies } from './pending-replies.ts';
import type { PrintSettings } from './print.ts';
import type { Visits } from './visits.ts';

/**
 * Static windows, for documents without scripts, draw one frame a second; this increases throughput by a tenth.
 * Dynamic windows draw 60, for documents with scripts and for images: at one frame a second, scripts would get
 * one animation frame a second, and raising the rate takes a second to have an effect.
 */
export type WindowKind = 'static' | 'dynamic';

export const windowKinds: readonly WindowKind[] = ['static', 'dynamic'];

export const framesPerSecond = { static: 1, dynamic: 60 } as const;

/**
 * The page that a window shows between jobs. `about:blank` is shown by the renderer of the previous page, which the next
 * page of the same site then reuses. With an address of the service in between, Chromium would start two renderers.
 */
export const emptyPages = { static: openPage, dynamic: 'about:blank' } as const;

/** The emulation that is set in the window. An absent property has Chromium's default. */
export interface Emulation {
  readonly viewport?: Viewport;
  /** The page is drawn at the size of its layout. */
  readonly drawn?: boolean;
  readonly media?: 'screen' | 'print';
  /** Colour behind the page, as text: red, green, blue and alpha. */
  readonly background?: string | undefined;
  readonly identity?: BrowserIdentity;
  readonly scriptless?: boolean;
  readonly frameless?: boolean;
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
  /** Captures an image `scale` times as large as the clip, whatever the device pixel ratio. */
  readonly capture: Cdp['capture'];
  readonly visits: Visits;
  readonly pendingReplies: PendingReplies;
  /** Time budget of diagnostics while jobs are queued. */
  readonly diagnosticsBudget: DiagnosticsBudget;
  /** The fonts that Chromium uses for a text style, by style. Only fonts of the machine, which do not change. */
  readonly fontCache: Map<string, readonly PlatformFont[]>;
  /** Jobs started in this window. */
  jobCount: number;
  /** The site whose pages the renderer has shown (site-isolation.ts); undefined before the first. */
  site: string | undefined;
  /** The last page used much memory. */
  usedMuchMemory: boolean;
  /** The current emulation. It is set only when it changes. */
  emulation: Emulation;
  /** The page is ready and may no longer navigate. */
  isFrozen: boolean;
  /** Why the window must not be used again; undefined while it works. */
  brokenReason: string | undefined;
  /** A pending print or capture. The window must not be destroyed meanwhile (electron#30753). */
  pendingOutput: Promise<unknown> | undefined;
  /** A pending capture. The renderer must not be ended meanwhile. */
  pendingCapture: Promise<unknown> | undefined;
}
