/**
 * Cleans a window between two jobs, so that nothing of one job is visible to the next, and no document remains that could load
 * anything: it would react to the viewport of the next job, and load its resources with the cookies of that job.
 */
import type { WebContents } from 'electron';
import { emptyPages, type EngineWindow } from './engine-window.ts';
import { endRequests, clearNetworkState, clearStorage } from './browser-context.ts';
import { showsInlineDocumentPage } from '../loading/inline-document.ts';
import { emptyDocument } from '../loading/steps/write.ts';

/**
 * Number of jobs after which garbage is collected. A reused renderer grows by megabytes with each job, but collecting garbage after
 * every job would make jobs take 50 % longer.
 */
const jobsPerCollection = 10;

export async function recycle(window: EngineWindow): Promise<void> {
  const { contents, cdp, context } = window;
  context.document.withdraw();
  const staysOnPage =
    window.kind === 'static' && !window.usedMuchMemory && !context.requests.touchedNetwork();
  // An inline document cannot load anything. It remains until the next job writes its document or changes the window.
  const isInline = staysOnPage && showsInlineDocumentPage(window);
  // The order matters: end the page first, because its scripts could store data; then its requests, whose responses could
  // set cookies; then clear what is stored.
  if (staysOnPage && !isInline) await emptyDocument(window);
  const mayHaveState = !staysOnPage || context.requests.touchedNetwork();
  if (mayHaveState) await showEmptyPage(window);
  const touchedNetwork = context.requests.touchedNetwork() || context.guard.refusals().length > 0;
  if (mayHaveState) {
    await endRequests(context);
    contents.navigationHistory.clear();
    contents.setZoomLevel(0);
    await clearStorage(context);
  }
  if (!isInline) await cdp.clearMemoryCache();
  // Chromium may have used the network even if the page did not.
  if (touchedNetwork) await clearNetworkState(context);
  else context.guard.reset();
  // Otherwise the memory of a large page would count towards the memory limit of the next one.
  if (window.usedMuchMemory || window.jobCount % jobsPerCollection === 0) await cdp.collectGarbage();
}

/**
 * Navigates to the window's empty page. Scripts are disabled meanwhile, because the service's own scripts would take two
 * milliseconds in the empty page. Clears the memory cache before the navigation, because the navigation may start another renderer while the
 * previous one lives on for a while.
 */
async function showEmptyPage({ contents, cdp, kind, emulation }: EngineWindow): Promise<void> {
  await Promise.all([cdp.setScriptsDisabled(true), cdp.clearMemoryCache()]);
  await navigateTo(emptyPages[kind], contents);
  await cdp.setScriptsDisabled(emulation.scriptsDisabled ?? false);
}

/**
 * Resolves when the window has committed the address and stopped loading. The promise of `loadURL` is unsuitable: it also resolves
 * when the previous page, which may still be loading, stops loading.
 * @throws Error if the renderer is lost
 */
function navigateTo(address: string, contents: WebContents): Promise<void> {
  const listeners = new AbortController();
  return new Promise<void>((resolve, reject) => {
    let isCommitted = false;
    const onCommit = (_event: unknown, url: string) => {
      isCommitted = url === address;
    };
    const onStop = () => {
      if (isCommitted && !contents.isLoading()) resolve();
    };
    const onGone = () => {
      reject(new Error('the renderer was lost while the empty page was loading'));
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
