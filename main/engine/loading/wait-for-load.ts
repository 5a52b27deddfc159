/** Waits until the main frame of a page has loaded or failed to load, or until loading is stopped because it takes too long. */
import type { WebContents } from 'electron';
import { Failure } from '../../failure/failure.ts';
import { readHost } from '../../network/host-name.ts';
import { RendererLost } from '../renderer-loss.ts';
import { limitsReached, limitMessage } from '../window/browser-context.ts';
import { isUnsafePort, unsafePortMessage } from '../requests/request-rules.ts';
import type { Loading } from './loading.ts';
import { reasonForError, reasonForResponse } from '../requests/load-failures.ts';
import { LoadTimeout, limitName, loadTimeoutLeft } from './load-timeout.ts';
import { parsedUrl } from '../../fields/parsed-url.ts';

/**
 * Resolves when the main frame has loaded. A subresource that never arrives does not block the conversion: after `max_loading_time`
 * or, without that option, half of the job timeout, the page is converted as it is. `hasDocument`: the window already shows a
 * document, so it is no error if no other document arrives.
 * @throws Failure pageNotLoaded, addressRefused, tooComplex; RendererLost; the signal's reason
 */
export async function waitForLoad(loading: Loading, hasDocument: boolean): Promise<void> {
  const { contents, context } = loading.window;
  const { signal } = loading.run;
  const loadTimeout = new LoadTimeout(loading, hasDocument);
  const timer = setTimeout(
    () => {
      loadTimeout.expire();
    },
    loadTimeoutLeft(loading.run, context.requests.elapsedMs(), 1 / 2),
  );
  try {
    const problem = await mainFrameLoaded(contents, signal, hasDocument);
    // Electron may report a lost renderer only after loading has stopped, or may have reported it before the job began.
    if (problem === noDocument && contents.getOSProcessId() === 0)
      throw new RendererLost(loading.window.brokenReason ?? 'the renderer ended before the page was loaded');
    if (problem !== undefined) throw failureFor(loading, problem);
    // Chromium shows an empty page for a PDF document.
    if (context.requests.pageType().type === 'application/pdf') throw failureFor(loading, noDocument);
    if (loadTimeout.hasExpired && !(await loading.window.cdp.hasContent()))
      throw new Failure('pageNotLoaded', emptyMessage(loading));
    context.requests.noteLoaded();
    // Loading also stops when the renderer is lost; its process id is then 0.
    if (!loadTimeout.hasExpired && contents.getOSProcessId() !== 0)
      loading.run.log.setStageReason('the page and all its resources had loaded');
  } finally {
    clearTimeout(timer);
    loadTimeout.end();
  }
}

/** Why the main frame did not load. */
interface NavigationProblem {
  readonly text: string;
  readonly url: string;
}

const noDocument: NavigationProblem = { text: 'no document arrived', url: '' };

/**
 * Waits until loading stops. Returns why the main frame did not load (a network error or `noDocument`); undefined if it loaded. If
 * a page navigates while it loads, loading stops only after the last page. Loading also stops if no document arrives, as with a
 * download.
 * @throws the signal's reason
 */
function mainFrameLoaded(
  contents: WebContents,
  signal: AbortSignal,
  hasDocument: boolean,
): Promise<NavigationProblem | undefined> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const listeners = new AbortController();
  const outcome = new Promise<NavigationProblem | undefined>((resolve, reject) => {
    let problem = hasDocument ? undefined : noDocument;
    let committed = hasDocument;
    const onCommit = () => {
      committed = true;
      problem = noDocument;
    };
    const onParsed = () => {
      // Another problem is kept, because Chromium's error page fires dom-ready too.
      if (problem === noDocument) problem = undefined;
    };
    const onFail = (
      _event: unknown,
      code: number,
      ...[text, url, isMainFrame]: [string, string, boolean]
    ) => {
      if (isMainFrame && code !== abortedCode) problem = { text: text || `error ${code}`, url };
    };
    const onStop = () => {
      // A blocked navigation stops the current document before it is parsed to its end.
      const isCutOff = problem === noDocument && committed;
      resolve(isCutOff ? undefined : problem);
    };
    const onAbort = () => {
      reject(signal.reason as Error);
    };
    contents.on('did-navigate', onCommit).on('dom-ready', onParsed).on('did-fail-load', onFail);
    contents.on('did-stop-loading', onStop);
    signal.addEventListener('abort', onAbort);
    listeners.signal.addEventListener('abort', () => {
      contents.off('did-navigate', onCommit).off('dom-ready', onParsed).off('did-fail-load', onFail);
      contents.off('did-stop-loading', onStop);
      signal.removeEventListener('abort', onAbort);
    });
  });
  return outcome.finally(() => {
    listeners.abort();
  });
}

function emptyMessage({ source, run }: Loading): string {
  const subject = source.kind === 'remote' ? `The page of ${source.url.hostname}` : 'The document';
  return `${subject} had no content yet when ${limitName(run)} was reached.`;
}

/**
 * ERR_ABORTED: the load was stopped or replaced by another load. It is not a problem by itself; dom-ready shows whether a document
 * arrived.
 */
const abortedCode = -3;

/** Returns the Failure for a main frame that did not load. */
function failureFor({ window, source, run }: Loading, { text, url }: NavigationProblem): Failure {
  const requestedHost = source.kind === 'remote' ? source.url.hostname : 'the document';
  const failedHost = parsedUrl(url)?.hostname ?? requestedHost;
  const { http_proxy, https_proxy } = run.job.options;
  const proxies = [http_proxy, https_proxy].flatMap((proxy) => proxy?.hostname ?? []);
  // readHost normalises host names like the network guard (case, trailing dot).
  const hosts = [requestedHost, failedHost, ...proxies].map(readHost);
  const refusal = window.context.guard.refusals().find(({ host }) => hosts.includes(host));
  const cause = { problem: text, url, refusal };
  if (refusal !== undefined) {
    return new Failure('addressRefused', 'The network policy does not allow this address to be loaded.', {
      cause,
    });
  }
  if (isUnsafePort(text)) return new Failure('addressRefused', unsafePortMessage(failedHost), { cause });
  if (limitsReached(window.context).length > 0)
    return new Failure('tooComplex', limitMessage(`The page of ${requestedHost}`), { cause });
  const status = window.context.requests.pageStatus();
  const why =
    text === noDocument.text && status !== 0
      ? reasonForResponse(status, window.context.requests.pageType())
      : reasonForError(text);
  return new Failure('pageNotLoaded', `The page of ${requestedHost} could not be loaded: ${why}`, { cause });
}
