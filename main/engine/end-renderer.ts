/** The end of a window's renderer, whatever state it is in: in a script, in a print, in a capture, stopped. */
import type { WebContents } from 'electron';
import { killProcess } from './kill-process.ts';
import { within } from './within.ts';

/** Milliseconds. A renderer that is told to end does so in one or two; one that is stopped never hears of it. */
const patience = 1000;

/** Milliseconds; a capture of the largest picture takes as long, and one that takes longer is stuck. */
const capturePatience = 10_000;

interface Ending {
  readonly contents: WebContents;
  /** A capture that is pending. It is waited for: one in sixty that lost its renderer took the whole service with it. */
  readonly capturing?: Promise<unknown> | undefined;
}

/** Ends whatever the page is doing, an endless script included. Resolves when the process has gone. Never rejects. */
export async function endRenderer({ contents, capturing }: Ending): Promise<void> {
  if (capturing !== undefined) await within(capturePatience, capturing).catch(() => {});
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
  // On Linux that is a message to the renderer itself.
  await within(patience, gone).catch(() => {
    killProcess(processId);
  });
}

/**
 * Ends pending commands, a capture above all: destroying a window whose renderer went in the middle of one takes the whole
 * service with it (SIGSEGV in Chromium 130, each time), and after this it does not.
 */
function detachCdp(contents: WebContents): void {
  if (!contents.isDestroyed() && contents.debugger.isAttached()) contents.debugger.detach();
}
