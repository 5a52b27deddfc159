/** Ends a window and its renderer in any state: running a script, printing, being captured, stopped. */
import { BrowserWindow, type WebContents } from 'electron';
import { killProcess } from '../health/process-loss.ts';
import { withTimeout } from '../../async/signals.ts';

/** A running renderer ends within 2 ms. One that is stopped (SIGSTOP) is killed after this time. */
const endTimeoutMs = 1000;

/** Capturing the largest image takes about this long. */
const captureTimeoutMs = 10_000;

interface RendererContents {
  readonly contents: WebContents;
  /**
   * A pending capture. `endRenderer` waits for it: one in sixty captures that lost their renderer crashed the whole
   * service.
   */
  readonly pendingCapture?: Promise<unknown> | undefined;
}

/** Ends the renderer, even in an endless script. Resolves when its process has ended. Never rejects. */
export async function endRenderer({ contents, pendingCapture }: RendererContents): Promise<void> {
  if (pendingCapture !== undefined) await withTimeout(captureTimeoutMs, pendingCapture).catch(() => {});
  if (contents.isDestroyed()) return;
  const processId = contents.getOSProcessId();
  detachCdp(contents);
  if (processId === 0) return;
  const gone = new Promise<void>((resolve) => {
    contents.once('render-process-gone', () => {
      resolve();
    });
    contents.once('destroyed', resolve);
  });
  contents.forcefullyCrashRenderer();
  // On Linux forcefullyCrashRenderer only sends a message, which a renderer stopped by SIGSTOP never handles; then it is killed.
  await withTimeout(endTimeoutMs, gone).catch(() => {
    killProcess(processId);
  });
}

/** Contents of windows that are being destroyed. Module state, because it must keep them even after their pool was disposed. */
const destroying = new Set<WebContents>();

/**
 * Destroys the window of these contents, if it still exists. The contents are kept until Chromium has destroyed them, and their
 * debugger is detached first. Otherwise V8 may collect their wrapper earlier, and its destructor emits `detach` without a context:
 * SIGSEGV of the whole service in Electron 33, once in a hundred windows while V8 is busy
 * (https://github.com/electron/electron/issues/53376).
 */
export function destroyContents(contents: WebContents): void {
  if (contents.isDestroyed()) return;
  detachCdp(contents);
  destroying.add(contents);
  contents.once('destroyed', () => destroying.delete(contents));
  BrowserWindow.fromWebContents(contents)?.destroy();
}

/**
 * Ends pending commands of the protocol. Destroying a window whose renderer was lost during a capture crashes the service (SIGSEGV
 * in Chromium 130, every time) unless the debugger was detached.
 */
function detachCdp(contents: WebContents): void {
  if (!contents.isDestroyed() && contents.debugger.isAttached()) contents.debugger.detach();
}
