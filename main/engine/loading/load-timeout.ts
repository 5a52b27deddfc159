/** Stops loading a page that takes too long, and keeps as much of it as possible. */
import type { Event, WebContents, WebContentsDidStartNavigationEventParams } from 'electron';
import { listed } from './pending-work.ts';
import type { Loading } from './loading.ts';
import type { Job } from '../../job/job.ts';
import { maxWaitMs } from '../../job/rules.ts';

interface LoadTimeout {
  readonly begin: () => void;
  readonly begun: () => boolean;
  readonly end: () => void;
}

/** After the load timeout, a document that has started to arrive gets this time to be parsed before loading stops. */
const parseGraceMs = 500;

/**
 * Once `begin` is called, stops loading as soon as a complete document is present. A page that reloads itself is between two documents
 * most of the time, and would be empty if stopped there; therefore new navigations are blocked from `begin` to `end`.
 * `hasDocument`: a document is already present.
 */
export function enforceLoadTimeout(loading: Loading, hasDocument: boolean): LoadTimeout {
  const { window } = loading;
  const wasFrozen = window.frozen;
  const state: { isOver: boolean; stopped: boolean; graceTimer?: NodeJS.Timeout } = {
    isOver: false,
    stopped: false,
  };
  const stop = () => {
    clearTimeout(state.graceTimer);
    if (!state.stopped) stopLoading(loading);
    state.stopped = true;
  };
  const stopIfComplete = () => {
    if (state.isOver && watch.parsed && !watch.navigating) stop();
  };
  const watch = watchDocument(window.contents, hasDocument, stopIfComplete);
  return {
    begin() {
      state.isOver = true;
      window.frozen = true;
      // A document may stream forever or wait for a script that never arrives; it is then converted as far as it has arrived.
      // Without any document there is nothing to convert, so loading continues up to the job limit.
      state.graceTimer = setTimeout(() => {
        if (watch.committed) stop();
      }, parseGraceMs);
      stopIfComplete();
    },
    begun: () => state.isOver,
    end() {
      clearTimeout(state.graceTimer);
      window.frozen = wasFrozen;
      watch.end();
    },
  };
}

interface DocumentWatch {
  /** A document has started to arrive. */
  readonly committed: boolean;
  /** The current document is parsed to its end. */
  readonly parsed: boolean;
  /** A navigation may be under way. */
  readonly navigating: boolean;
  readonly end: () => void;
}

function watchDocument(contents: WebContents, hasDocument: boolean, onChange: () => void): DocumentWatch {
  const state = { committed: hasDocument, parsed: hasDocument, navigating: true };
  const onStart = ({ isMainFrame, isSameDocument }: Event<WebContentsDidStartNavigationEventParams>) => {
    if (isMainFrame && !isSameDocument) state.navigating = true;
  };
  const onCommit = () => {
    Object.assign(state, { committed: true, parsed: false, navigating: false });
  };
  const onParsed = () => {
    state.parsed = true;
    onChange();
  };
  const onFailedStart = (_event: unknown, _code: number, ...[, , isMainFrame]: [string, string, boolean]) => {
    if (isMainFrame) state.navigating = false;
    onChange();
  };
  contents.on('did-start-navigation', onStart).on('did-navigate', onCommit);
  contents.on('dom-ready', onParsed).on('did-fail-provisional-load', onFailedStart);
  const end = () => {
    contents.off('did-start-navigation', onStart).off('did-navigate', onCommit);
    contents.off('dom-ready', onParsed).off('did-fail-provisional-load', onFailedStart);
  };
  return Object.assign(state, { end });
}

function stopLoading({ window, run }: Loading): void {
  const { requests } = window.context;
  const limit = run.job.options.max_loading_time === undefined ? 'half of the job limit' : 'max_loading_time';
  const missing = listed(requests.pending()) || 'no request with a known address';
  run.log.because(`${limit} was reached; still missing: ${missing}`);
  run.log.note(
    `The page was still loading after ${limit} and was converted as it was. Missing at that time: ${missing}.`,
    { code: 'late-resources', options: ['max_loading_time'] },
  );
  requests.giveUp();
  window.contents.stop();
}

/**
 * Returns the longest loading time in milliseconds, counted from the moment the window took the job, or undefined if `max_loading_time`
 * is not given. `limit` is the job limit in milliseconds. Pure.
 */
export function maxLoadingMs({ options }: Pick<Job, 'options'>, limit: number): number | undefined {
  const { max_loading_time } = options;
  // A later end would leave too little time to convert the page.
  return max_loading_time === undefined
    ? undefined
    : Math.min(max_loading_time * 1000, maxWaitMs({ jobTimeout: limit }));
}

interface LimitedRun {
  readonly job: Pick<Job, 'options'>;
  /** The job limit in milliseconds. */
  readonly limit: number;
}

/**
 * Returns how many milliseconds loading may still take: the rest of `max_loading_time`, or without that option a share of the job
 * limit. Pure.
 */
export function loadTimeoutLeft({ job, limit }: LimitedRun, elapsedMs: number, share: number): number {
  const maxMs = maxLoadingMs(job, limit);
  return maxMs === undefined ? limit * share : Math.max(0, maxMs - elapsedMs);
}
