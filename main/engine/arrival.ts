/** Waiting until a page has arrived: its main frame loaded, or given up on. */
import type { WebContents } from 'electron';
import { Failure } from '../failure/failure.ts';
import type { Loading } from './loading.ts';

/**
 * Resolves when the main frame has loaded. A sub-resource that never answers does not hold the page for ever: after half
 * of the job limit it is converted as it stands.
 * @throws Failure pageNotLoaded, addressRefused
 */
export async function arrival(loading: Loading): Promise<void> {
  const { contents, seat } = loading.window;
  const { log, limit } = loading.run;
  if (!contents.isLoadingMainFrame()) return;
  const listeners = new AbortController();
  const halfTime = setTimeout(() => {
    log.note(
      `Still loading after half of the job limit, converted as it stands. Pending: ${seat.requests.pending().join(' ')}`,
    );
    contents.stop();
  }, limit / 2);
  try {
    const problem = await mainFrameLoaded(contents, listeners.signal);
    if (problem !== undefined) throw explain(loading, problem);
  } finally {
    clearTimeout(halfTime);
    listeners.abort();
  }
}

/**
 * The network error of the main frame, if it has one. Loading stops only when the last of several pages has come (one may
 * go elsewhere while it loads), and also when nothing came of it, as with a download.
 */
function mainFrameLoaded(contents: WebContents, done: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    let problem: string | undefined = 'nothing to show came';
    let failed = false;
    const onCommit = () => (failed = false);
    const onParsed = () => {
      // Chromium's own error page is parsed too.
      if (!failed) problem = undefined;
    };
    const onFail = (_event: unknown, code: number, ...[text, , isMainFrame]: [string, string, boolean]) => {
      if (!isMainFrame || code === aborted) return;
      problem = text || `error ${code}`;
      failed = true;
    };
    const onStop = () => {
      resolve(problem);
    };
    contents
      .on('did-navigate', onCommit)
      .on('dom-ready', onParsed)
      .on('did-fail-load', onFail)
      .on('did-stop-loading', onStop);
    done.addEventListener('abort', () => {
      contents
        .off('did-navigate', onCommit)
        .off('dom-ready', onParsed)
        .off('did-fail-load', onFail)
        .off('did-stop-loading', onStop);
    });
  });
}

/** A load that was stopped or superseded; whether anything came is told by the parsed document. */
const aborted = -3;

/** The guard knows a refusal; every other reason is one class to the caller, or the service would be a port scanner. */
function explain({ window, source }: Loading, problem: string): Failure {
  const host = source.kind === 'remote' ? source.url.host : 'the document';
  const cause = { problem, refusals: window.seat.guard.refusals() };
  if (window.seat.guard.refusals().length > 0) {
    return new Failure('addressRefused', 'The network policy does not allow this address to be loaded.', {
      cause,
    });
  }
  const sentence = /CERT|SSL/.test(problem)
    ? `The page at ${host} could not be loaded: its TLS certificate or connection is not sound.`
    : `The page at ${host} could not be loaded: its name was not found, or it did not answer with a page.`;
  return new Failure('pageNotLoaded', sentence, { cause });
}
