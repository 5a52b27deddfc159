/** Sends the window to the source's address and waits until it is there. */
import { Failure } from '../../failure/failure.ts';
import { arrival } from '../arrival.ts';
import type { Loading } from '../loading.ts';

/** @throws Failure pageNotLoaded, addressRefused */
export async function navigate(loading: Loading): Promise<void> {
  const { window, source } = loading;
  const { contents, seat } = window;
  const address = source.kind === 'document' ? seat.document.serve(source) : source.url.href;
  // Its own promise fails when a page goes elsewhere while loading, so arrival() watches instead.
  contents.loadURL(address).catch(() => {});
  if (!contents.isLoadingMainFrame()) {
    throw new Failure(
      'pageNotLoaded',
      'The address could not be loaded: it is too long, or not one a browser loads.',
    );
  }
  await arrival(loading, false);
}
