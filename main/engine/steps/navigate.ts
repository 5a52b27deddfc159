/** Sends the window to the source's address and waits until it is there. */
import { arrival } from '../arrival.ts';
import type { Loading } from '../loading.ts';

export async function navigate(loading: Loading): Promise<void> {
  const { window, source } = loading;
  const address = source.kind === 'document' ? window.seat.document.serve(source) : source.url.href;
  // Its own promise fails when a page goes elsewhere while loading, so arrival() watches instead.
  window.contents.loadURL(address).catch(() => {});
  await arrival(loading);
}
