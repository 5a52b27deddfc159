/** Waiting until a page has arrived: its main frame loaded, or given up on. */
import type { WebContents } from 'electron';
import { Failure } from '../failure/failure.ts';
import { readHost } from '../network/host.ts';
import { RendererGone } from './lease.ts';
import { limitsReached, tooMuch } from './limits-reached.ts';
import type { Loading } from './loading.ts';
import { patienceLeft } from './patience.ts';
import { stoppingLate } from './stop-late.ts';

/**
 * Resolves when the main frame has loaded. A sub-resource that never answers does not hold the page for ever: after
 * `max_loading_time`, without it half of the job limit, it is converted as it stands. `shown`: a document is there already,
 * so that nothing new may come.
 * @throws Failure pageNotLoaded, addressRefused, tooComplex; RendererGone; the signal's reason
 */
export async function arrival(loading: Loading, shown: boolean): Promise<void> {
  const { contents, seat } = loading.window;
  const { signal } = loading.run;
  const stopping = stoppingLate(loading, shown);
  const patience = setTimeout(stopping.begin, patienceLeft(loading.run, seat.requests.elapsed(), 1 / 2));
  try {
    const problem = await mainFrameLoaded(contents, signal, shown);
    // Its loss may be told only after the loading has stopped, or have been told before the job began.
    if (problem === nothingCame && contents.getOSProcessId() === 0)
      throw new RendererGone(loading.window.broken ?? 'killed');
    if (problem !== undefined) throw explain(loading, problem);
    // A lost renderer stops loading too, and has no process any more.
    if (!stopping.begun() && contents.getOSProcessId() !== 0)
      loading.run.log.because('the page and all it asked for had loaded');
  } finally {
    clearTimeout(patience);
    stopping.end();
  }
}

/** Why the main frame did not load. */
interface LoadProblem {
  readonly text: string;
  readonly url: string;
}

const nothingCame: LoadProblem = { text: 'nothing to show came', url: '' };

/**
 * The network error of the main frame, if it has one. Loading stops only when the last of several pages has come (one may
 * go elsewhere while it loads), and also when nothing came of it, as with a download.
 */
function mainFrameLoaded(
  contents: WebContents,
  signal: AbortSignal,
  shown: boolean,
): Promise<LoadProblem | undefined> {
  const listeners = new AbortController();
  const outcome = new Promise<LoadProblem | undefined>((resolve, reject) => {
    let problem = shown ? undefined : nothingCame;
    let committed = shown;
    const onCommit = () => {
      committed = true;
      problem = nothingCame;
    };
    const onParsed = () => {
      // Chromium's own error page is parsed too.
      if (problem === nothingCame) problem = undefined;
    };
    const onFail = (
      _event: unknown,
      code: number,
      ...[text, url, isMainFrame]: [string, string, boolean]
    ) => {
      if (isMainFrame && code !== aborted) problem = { text: text || `error ${code}`, url };
    };
    const onStop = () => {
      // A navigation that is forbidden stops the loading of a document before it has been parsed to its end.
      const cut = problem === nothingCame && committed;
      resolve(cut ? undefined : problem);
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

/** A load that was stopped or superseded; whether anything came is told by the parsed document. */
const aborted = -3;

/** The guard knows a refusal; every other reason is one class to the caller, or the service would be a port scanner. */
function explain({ window, source, run }: Loading, { text, url }: LoadProblem): Failure {
  const asked = source.kind === 'remote' ? source.url.hostname : 'the document';
  const failed = URL.canParse(url) ? new URL(url).hostname : asked;
  const { http_proxy, https_proxy } = run.job.options;
  const proxies = [http_proxy, https_proxy].flatMap((proxy) => proxy?.hostname ?? []);
  // As the guard spells them: without a trailing dot, too.
  const hosts = [asked, failed, ...proxies].map(readHost);
  const refusal = window.seat.guard.refusals().find(({ host }) => hosts.includes(host));
  const cause = { problem: text, url, refusal };
  if (refusal !== undefined) {
    return new Failure('addressRefused', 'The network policy does not allow this address to be loaded.', {
      cause,
    });
  }
  if (limitsReached(window.seat).length > 0)
    return new Failure('tooComplex', tooMuch(`The page of ${asked}`), { cause });
  const sentence = /CERT|SSL/.test(text)
    ? `The page of ${asked} could not be loaded: its TLS certificate or connection is not sound.`
    : `The page of ${asked} could not be loaded: its name was not found, or it did not answer with a page.`;
  return new Failure('pageNotLoaded', sentence, { cause });
}
