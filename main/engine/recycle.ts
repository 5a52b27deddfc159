/**
 * What is done to a window between two jobs, so that nothing of one is left for the next. A document that ran no script
 * and touched no network has left nothing that the next navigation does not take away.
 */
import { emptyPages, type EngineWindow } from './window.ts';
import { endRequests, wipeNetwork, wipeStorage } from './seat.ts';

/** A re-used renderer gains megabytes a job; collecting after every job would cost half again the time. */
const collectEvery = 10;

export async function recycle(window: EngineWindow): Promise<void> {
  const { contents, seat } = window;
  seat.document.withdraw();
  const mayHaveLeft = window.kind === 'live' || seat.requests.touchedNetwork();
  // First the page, whose scripts could write again, then its requests, which could set a cookie; then what is left.
  if (mayHaveLeft) await contents.loadURL(emptyPages[window.kind]);
  const touchedNetwork = seat.requests.touchedNetwork() || seat.guard.refusals().length > 0;
  if (mayHaveLeft) {
    await endRequests(seat);
    contents.navigationHistory.clear();
    contents.setZoomLevel(0);
    await wipeStorage(seat);
  }
  // Also for a page that asked for nothing: Chromium itself may have.
  if (touchedNetwork) await wipeNetwork(seat);
  else seat.guard.reset();
  if (window.jobs % collectEvery === 0) await window.cdp.collectGarbage();
}
