/** The DevTools protocol (CDP) session of one window: typed methods for commands that Electron has no API for. */
import type { WebContents } from 'electron';
import { emulations, type Emulations } from './emulation.ts';
import { interceptDocuments, type TypeRewriting } from './intercept-documents.ts';
import { platformFonts, type PlatformFont } from './platform-fonts.ts';
import { recorder, type Recorder } from '../diagnostics/recording/recorder.ts';
import { keepCookies } from '../page-scripts/cookies.ts';
import { evaluate, runOnce } from './run-once.ts';
import { ProtocolTargets } from './targets.ts';
import { workerSessions, type WorkerSessions } from './worker-sessions.ts';
import { createIsolatedWorld, mainFrameId, runtimeDomain, type SendCommand } from './evaluate.ts';

/** The captured area in CSS pixels. Each CSS pixel becomes `scale` × devicePixelRatio pixels of the image. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

export interface CaptureFormat {
  readonly format: 'png' | 'jpeg';
  /** 1..100, JPEG only. */
  readonly quality?: number;
  /** PNG only: encodes faster, but the file is a third larger (two thirds larger for photographs). */
  readonly fast?: boolean;
  /** The clip is within the viewport, so Chromium need not resize the page for the capture. */
  readonly isInViewport?: boolean;
}

export interface Cdp extends Emulations {
  /** Runs code in the page's main world. The code must be idempotent, because Chromium may run it again. */
  readonly evaluate: (code: string) => Promise<void>;
  /** Runs a caller's script in the page's main world, and returns its error, if any. See run-once.ts. */
  readonly runOnce: (script: string, name: string) => Promise<string | undefined>;
  readonly capture: (clip: Clip, format: CaptureFormat) => Promise<Buffer>;
  /** Changes the Content-Type of documents from the network, including those in frames; with undefined, no longer changes it. */
  readonly rewriteDocuments: (rewriting: TypeRewriting | undefined) => Promise<void>;
  /** Writes the page's requests and console output to a job's debug log. */
  readonly recorder: Recorder;
  /** Asks the workers of the page what they do; undefined in a window that runs no scripts. */
  readonly workers: WorkerSessions | undefined;
  readonly collectGarbage: () => Promise<void>;
  /** Yields the binary files that the main frame has loaded from these addresses, except those that Chromium no longer keeps. */
  readonly loadedFiles: (urls: readonly string[]) => AsyncGenerator<Buffer>;
  /** Clears Blink's memory cache of loaded resources. */
  readonly clearMemoryCache: () => Promise<void>;
  /** Returns whether the page has an element that is rendered: an HTML page needs a body, which its parser creates late. */
  readonly hasContent: () => Promise<boolean>;
  /** Returns the fonts with which Chromium draws each of the first `maxElements` matching elements. */
  readonly fontsOf: (selectors: string, maxElements: number) => Promise<readonly (readonly PlatformFont[])[]>;
}

/**
 * Disables `print`, `prompt` and `close`, because no user is present and a page may not close its window. Also disables the copy
 * and cut commands, because Electron lets a page write to the desktop's clipboard without a click. The script keeps its own
 * references to the built-ins that it uses, so that the page cannot change them later.
 */
const headlessOverrides = `window.print = () => {}; window.prompt = () => null; window.close = () => {}; {
  const { apply } = Reflect, text = String, toLowerCase = text.prototype.toLowerCase;
  const refused = { __proto__: null, copy: true, cut: true }, native = Document.prototype.execCommand;
  Document.prototype.execCommand = function execCommand(name, ...rest) {
    const command = apply(toLowerCase, text(name), []);
    return command in refused ? false : apply(native, this, [command, ...rest]);
  };
}`;

/**
 * Attaches the DevTools protocol to the window. The window must have loaded a page, because before that Chromium 130 crashes when
 * device metrics are set. `runsScripts`: the window's documents run scripts.
 */
export async function attachCdp(contents: WebContents, runsScripts: boolean): Promise<Cdp> {
  contents.debugger.attach('1.3');
  const send: SendCommand = (method, parameters) => contents.debugger.sendCommand(method, parameters);
  const runtime = runtimeDomain(send);
  // A scroll bar would narrow the layout that is measured; prints and images have none.
  await send('Emulation.setScrollbarsHidden', { hidden: true });
  await send('Page.enable');
  // Otherwise a page could open a file dialog on the desktop.
  await send('Page.setInterceptFileChooserDialog', { enabled: true });
  await send('Page.addScriptToEvaluateOnNewDocument', { source: headlessOverrides });
  if (runsScripts)
    await send('Page.addScriptToEvaluateOnNewDocument', { source: `(${keepCookies.toString()})()` });
  const targets = new ProtocolTargets(contents.debugger, runsScripts);
  const workers = runsScripts ? workerSessions(contents.debugger, targets) : undefined;
  await targets.attachToWorkers();
  return {
    async evaluate(code) {
      await evaluate(send, code);
    },
    runOnce: (script, name) => runOnce({ send, runtime }, script, name),
    capture: (clip, format) => capture(send, clip, format),
    ...emulations(send, runtime),
    rewriteDocuments: interceptDocuments(contents.debugger),
    workers,
    recorder: recorder(contents, runtime, targets),
    hasContent: () => hasContent(send),
    fontsOf: (selectors, maxElements) => platformFonts(send, selectors, maxElements),
    loadedFiles: (urls) => loadedFiles(send, urls),
    async collectGarbage() {
      await send('HeapProfiler.collectGarbage');
    },
    async clearMemoryCache() {
      // Disabling the cache clears it. Electron's own API simulates memory pressure, which takes a third of a job's time.
      await Promise.all([
        send('Network.setCacheDisabled', { cacheDisabled: true }),
        send('Network.setCacheDisabled', { cacheDisabled: false }),
      ]);
    },
  };
}

async function* loadedFiles(send: SendCommand, urls: readonly string[]): AsyncGenerator<Buffer> {
  const frameId = urls.length === 0 ? undefined : await mainFrameId(send).catch(() => undefined);
  for (const url of frameId === undefined ? [] : urls) {
    const answer = await send('Page.getResourceContent', { frameId, url }).catch(() => undefined);
    const file = answer as { readonly content: string; readonly base64Encoded: boolean } | undefined;
    if (file?.base64Encoded === true) yield Buffer.from(file.content, 'base64');
  }
}

async function hasContent(send: SendCommand): Promise<boolean> {
  const contextId = await createIsolatedWorld(send);
  const expression = `(${documentHasContent.toString()})()`;
  const answer = await send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  return (answer as { readonly result: { readonly value?: unknown } }).result.value === true;
}

/** Runs inside the page, and is sent as its source text. */
function documentHasContent(): boolean {
  const { documentElement: root } = document as { readonly documentElement: Element | null };
  if (root?.localName !== 'html') return root !== null;
  return root.querySelector(':scope > :is(body, frameset)') !== null;
}

async function capture(
  send: SendCommand,
  clip: Clip,
  { format, quality, fast, isInViewport }: CaptureFormat,
): Promise<Buffer> {
  const options = {
    format,
    ...(quality !== undefined && { quality }),
    ...(fast === true && { optimizeForSpeed: true }),
    clip,
    captureBeyondViewport: isInViewport !== true,
  };
  const { data } = (await send('Page.captureScreenshot', options)) as { data: string };
  return Buffer.from(data, 'base64');
}
