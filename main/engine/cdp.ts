/** Chromium's DevTools protocol of one window: the few commands Electron has no method for, with types. */
import type { WebContents } from 'electron';
import { emulations, type Emulations, type Send } from './emulation.ts';
import { interceptDocuments, type RewriteType } from './intercept-documents.ts';
import { platformFonts, type PlatformFont } from './platform-fonts.ts';
import { recorder, type Recorder } from './recording/recorder.ts';
import { evaluate, runOnce } from './run-once.ts';
import { runtimeDomain } from './runtime-domain.ts';

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
  /** PNG only: sooner done, and larger by a third, photographs by two. */
  readonly fast?: boolean;
}

export interface Cdp extends Emulations {
  /** Runs our own code in the page's own world: code that does no harm when it is run again. */
  readonly evaluate: (code: string) => Promise<void>;
  /** Runs a caller's script in the page's own world. See run-once.ts. */
  readonly runOnce: (script: string, name: string) => Promise<string | undefined>;
  readonly capture: (clip: Clip, format: PictureFormat) => Promise<Buffer>;
  /** Changes the Content-Type of documents from the network, of frames too; undefined: no more. */
  readonly rewriteDocuments: (rewrite: RewriteType | undefined) => Promise<void>;
  /** Writes the page's requests and what it says to a job's log. */
  readonly recorder: Recorder;
  readonly collectGarbage: () => Promise<void>;
  /** Forgets what the renderer keeps of what pages have loaded: Blink's own cache, in memory. */
  readonly forgetLoaded: () => Promise<void>;
  /** What the first so many elements that match are drawn with. */
  readonly fontsOf: (selectors: string, most: number) => Promise<readonly (readonly PlatformFont[])[]>;
}

/**
 * Nobody is there to print to or to answer a prompt, and a window is not the page's to close, as in any browser. Electron
 * lets a page write to the desktop's clipboard, without a click; what this takes to prevent it, no page can change later.
 */
const nobodyThere = `window.print = () => {}; window.prompt = () => null; window.close = () => {}; {
  const { apply } = Reflect, text = String, small = text.prototype.toLowerCase;
  const refused = { __proto__: null, copy: true, cut: true }, native = Document.prototype.execCommand;
  Document.prototype.execCommand = function execCommand(name, ...rest) {
    const command = apply(small, text(name), []);
    return command in refused ? false : apply(native, this, [command, ...rest]);
  };
}`;

/** Attaches the protocol. The window must have loaded something: Chromium 130 crashes on metrics before that. */
export async function attachCdp(contents: WebContents): Promise<Cdp> {
  contents.debugger.attach('1.3');
  const send: Send = (method, parameters) => contents.debugger.sendCommand(method, parameters);
  const runtime = runtimeDomain(send);
  // A scroll bar takes width that paper and pictures do not have: the page would be measured in another layout.
  await send('Emulation.setScrollbarsHidden', { hidden: true });
  await send('Page.enable');
  // Or a page could open a dialog of the desktop.
  await send('Page.setInterceptFileChooserDialog', { enabled: true });
  await send('Page.addScriptToEvaluateOnNewDocument', { source: nobodyThere });
  return {
    async evaluate(code) {
      await evaluate(send, code);
    },
    runOnce: (script, name) => runOnce({ send, runtime }, script, name),
    capture: (clip, format) => capture(send, clip, format),
    ...emulations(send, runtime),
    rewriteDocuments: interceptDocuments(contents.debugger),
    recorder: recorder(contents, runtime),
    fontsOf: (selectors, most) => platformFonts(send, selectors, most),
    async collectGarbage() {
      await send('HeapProfiler.collectGarbage');
    },
    async forgetLoaded() {
      // Forgets as it is switched off. Electron's own call pretends that memory runs short, and costs a third of a job.
      await Promise.all([
        send('Network.setCacheDisabled', { cacheDisabled: true }),
        send('Network.setCacheDisabled', { cacheDisabled: false }),
      ]);
    },
  };
}

async function capture(send: Send, clip: Clip, { format, quality, fast }: PictureFormat): Promise<Buffer> {
  const options = {
    format,
    ...(quality !== undefined && { quality }),
    ...(fast === true && { optimizeForSpeed: true }),
    clip,
    captureBeyondViewport: true,
  };
  const { data } = (await send('Page.captureScreenshot', options)) as { data: string };
  return Buffer.from(data, 'base64');
}
