/**
 * What is done to a window between two jobs, so that nothing of one is left for the next. A document that ran no script
 * and touched no network has left nothing that the next navigation does not take away.
 */
import type { WebContents } from 'electron';
import { emptyPages, type EngineWindow } from './window.ts';
import { endRequests, wipeNetwork, wipeStorage } from './seat.ts';
import { isOpen } from './written.ts';

/** A re-used renderer gains megabytes a job; collecting after every job would cost half again the time. */
const collectEvery = 10;

export async function recycle(window: EngineWindow): Promise<void> {
  const { contents, cdp, seat } = window;
  seat.document.withdraw();
  const mayHaveLeft = window.kind === 'live' || window.heavy || seat.requests.touchedNetwork();
  // What was written into the open page could load nothing.
  const mayHaveLoaded = mayHaveLeft || !isOpen(window);
  // First the page, whose scripts could write again, then its requests, which could set a cookie; then what is left.
  if (mayHaveLeft) await empty(window);
  const touchedNetwork = seat.requests.touchedNetwork() || seat.guard.refusals().length > 0;
  if (mayHaveLeft) {
    await endRequests(seat);
    contents.navigationHistory.clear();
    contents.setZoomLevel(0);
    await wipeStorage(seat);
  }
  if (mayHaveLoaded) await cdp.forgetLoaded();
  // Also for a page that asked for nothing: Chromium itself may have.
  if (touchedNetwork) await wipeNetwork(seat);
  else seat.guard.reset();
  // What a large page has left would be counted as the next one's.
  if (window.heavy || window.jobs % collectEvery === 0) await cdp.collectGarbage();
}

/**
 * Goes to the empty page, without scripts, ours neither: to make their worlds takes as long as the page. The renderer of the page
 * that is left forgets, too, what it has loaded: it may be another one, and not end at once.
 */
async function empty({ contents, cdp, kind, emulated }: EngineWindow): Promise<void> {
  await Promise.all([cdp.setScriptless(true), cdp.forgetLoaded()]);
  await leaveFor(emptyPages[kind], contents);
  await cdp.setScriptless(emulated.scriptless ?? false);
}

/**
 * Resolves when the window is there and loads nothing more. Not by what `loadURL` returns: it takes the end of the page before, which
 * may still be loading, for the end of this one. @throws Error when the renderer is lost
 */
function leaveFor(address: string, contents: WebContents): Promise<void> {
  const listeners = new AbortController();
  return new Promise<void>((resolve, reject) => {
    let there = false;
    const onCommit = (_event: unknown, url: string) => {
      there = url === address;
    };
    const onStop = () => {
      if (there && !contents.isLoading()) resolve();
    };
    const onGone = () => {
      reject(new Error('its renderer was lost on the way to the empty page'));
    };
    contents.on('did-navigate', onCommit).on('did-stop-loading', onStop);
    contents.on('render-process-gone', onGone).on('destroyed', onGone);
    listeners.signal.addEventListener('abort', () => {
      contents.off('did-navigate', onCommit).off('did-stop-loading', onStop);
      contents.off('render-process-gone', onGone).off('destroyed', onGone);
    });
    contents.loadURL(address).catch(() => {});
  }).finally(() => {
    listeners.abort();
  });
}
