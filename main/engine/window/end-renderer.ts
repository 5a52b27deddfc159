/**
 * Ends a window and its renderer in any state, for example while the renderer runs a script, prints, is captured or is stopped
 * (SIGSTOP).
 */
import { BrowserWindow, type WebContents } from 'electron';
import { killProcess } from '../health/browser-process-loss.ts';
import { withTimeout } from '../../async/signals.ts';

/**
 * A running renderer ends within 2 ms. A renderer that has not ended after this time, because it is stopped (SIGSTOP), is killed.
 */
const endTimeoutMs = 1000;

/** Capturing the largest image takes about this long. */
const captureTimeoutMs = 10_000;

interface RendererContents {
  readonly contents: WebContents;
  /** `endRenderer` waits for this capture, because one in sixty captures that lost their renderer crashed the whole service. */
  readonly pendingCapture?: Promise<unknown> | undefined;
}

/**
 * Ends the renderer, even during a script that never ends. Resolves when the process has ended or has been sent SIGKILL. Never
 * rejects.
 */
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
  // On Linux forcefullyCrashRenderer only sends a message. A renderer stopped by SIGSTOP never handles this message, so it is
  // killed after the timeout.
  await withTimeout(endTimeoutMs, gone).catch(() => {
    killProcess(processId);
  });
}

/**
 * The contents of windows that are being destroyed. Module state, so that they stay referenced even after the window pool was
 * disposed.
 */
const destroying = new Set<WebContents>();

/**
 * Destroys the window of these contents, if it still exists. First detaches the debugger, and keeps the contents referenced until
 * Chromium has destroyed them. Otherwise V8 may collect their wrapper object earlier, and the destructor of the wrapper emits
 * `detach` without a context. In Electron 33 this ends the whole service with SIGSEGV, once in a hundred windows while V8 is busy
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
 * Detaches the debugger, which ends pending commands of the DevTools protocol. Otherwise destroying a window whose renderer was
 * lost during a capture crashes the service (SIGSEGV in Chromium 130, every time).
 */
function detachCdp(contents: WebContents): void {
  if (!contents.isDestroyed() && contents.debugger.isAttached()) contents.debugger.detach();
}
