/**
 * Stops loading a page that takes too long, and keeps what has arrived. Notes which requests and timers are still pending when the
 * page is converted, because their results are missing from the output.
 */
import type { Event, WebContents, WebContentsDidStartNavigationEventParams } from 'electron';
import type { Loading } from './loading.ts';
import type { Job } from '../../job/job.ts';
import { maxWaitMs } from '../../job/rules.ts';
import { runDiagnostic } from '../diagnostics/diagnostics-budget.ts';
import { executeJavaScript } from '../devtools/page-calls.ts';
import type { DelayedTimer } from '../page-scripts/settling.ts';
import { isLongPoll } from '../page-scripts/settling/polling.ts';
import { withDisplayUrls } from '../requests/shown-address.ts';

interface LoadTimeout {
  /** Call this when the load timeout has passed. */
  readonly expire: () => void;
  readonly hasExpired: () => boolean;
  /** Call this when waiting for the page to load has ended. */
  readonly end: () => void;
}

/** Time after the load timeout in which a document that has started to arrive may still be parsed. */
const parseGraceMs = 500;

/** The same for a document that has arrived, with all its resources: a busy machine may need seconds to parse it. */
const arrivedGraceMs = 5000;

/**
 * Once `begin` is called, stops loading as soon as a complete document is present. A page that reloads itself is between two
 * documents most of the time, and would be empty if loading were stopped there. Therefore new navigations are blocked from `begin`
 * to `end`. `hasDocument`: the window already shows a document.
 */
export function enforceLoadTimeout(loading: Loading, hasDocument: boolean): LoadTimeout {
  const { window } = loading;
  const wasFrozen = window.isNavigationBlocked;
  const state: { hasBegun: boolean; isStopped: boolean; graceTimer?: NodeJS.Timeout } = {
    hasBegun: false,
    isStopped: false,
  };
  const stop = () => {
    clearTimeout(state.graceTimer);
    if (!state.isStopped) stopLoading(loading);
    state.isStopped = true;
  };
  const stopIfComplete = () => {
    if (state.hasBegun && watch.parsed && !watch.navigating) stop();
  };
  const watch = watchDocument(window.contents, hasDocument, stopIfComplete);
  // A document may stream forever or wait for a script that never arrives; what has arrived is then converted. Without any document
  // there is nothing to convert, so loading continues until the job timeout.
  const allowGrace = (allowedMs: number) => {
    state.graceTimer = setTimeout(() => {
      const hasArrived = window.context.requests.pendingUrls().length === 0;
      if (watch.committed && (!hasArrived || allowedMs >= arrivedGraceMs)) stop();
      else allowGrace(allowedMs + parseGraceMs);
    }, parseGraceMs);
  };
  return {
    expire() {
      state.hasBegun = true;
      window.isNavigationBlocked = true;
      allowGrace(parseGraceMs);
      stopIfComplete();
    },
    hasExpired: () => state.hasBegun,
    end() {
      clearTimeout(state.graceTimer);
      window.isNavigationBlocked = wasFrozen;
      watch.end();
    },
  };
}

interface DocumentWatch {
  /** A document has started to arrive. */
  readonly committed: boolean;
  /** The current document has been parsed to its end. */
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
  const limit = run.job.options.max_loading_time === undefined ? 'half of job-timeout' : 'max_loading_time';
  const pending = joinAddresses(requests.pendingUrls()) || 'unknown (no pending request has an address)';
  run.log.setStageReason(`${limit} was reached; still pending: ${pending}`);
  run.log.note(
    `The page was still loading after ${limit} and was converted as it was. Pending at that time: ${pending}.`,
    { code: 'late-resources', options: ['max_loading_time'] },
  );
  requests.failPending();
  window.contents.stop();
}

/**
 * Returns the maximum loading time in milliseconds, counted from the moment the window took the job; undefined if
 * `max_loading_time` is not given. Pure.
 */
export function maxLoadingMs({ options }: Pick<Job, 'options'>, jobTimeoutMs: number): number | undefined {
  const { max_loading_time } = options;
  // More would leave too little time to convert the page.
  return max_loading_time === undefined
    ? undefined
    : Math.min(max_loading_time * 1000, maxWaitMs({ jobTimeoutMs }));
}

interface LimitedRun {
  readonly job: Pick<Job, 'options'>;
  /** The job timeout in milliseconds. */
  readonly jobTimeoutMs: number;
}

/**
 * Returns how many milliseconds loading may still take: the rest of `max_loading_time` or, without that option, `share` (such as
 * 1/2) of the job timeout. Pure.
 */
export function loadTimeoutLeft({ job, jobTimeoutMs }: LimitedRun, elapsedMs: number, share: number): number {
  const maxMs = maxLoadingMs(job, jobTimeoutMs);
  return maxMs === undefined ? jobTimeoutMs * share : Math.max(0, maxMs - elapsedMs);
}

/** Options that make the conversion wait longer. */
const waitingOptions = ['settle_limit', 'javascript_delay', 'wait_for_element', 'max_loading_time'] as const;

const maxListed = 5;

/** Returns the first five addresses and the number of further ones as text for a message. */
export function joinAddresses(addresses: readonly string[]): string {
  const shown = addresses.slice(0, maxListed);
  const more = addresses.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Notes pending requests and scheduled timers. Does nothing if the log is not recorded. */
export async function notePendingWork({ window, source, run }: Loading): Promise<void> {
  if (!run.log.isRecorded) return;
  const pending = joinAddresses(
    window.context.requests.pendingUrls().filter((address) => !isLongPoll(address)),
  );
  if (pending !== '') {
    const text = `The page was converted while these requests were still pending: ${pending}. Their content is missing from the output.`;
    run.log.note(text, { code: 'late-resources', options: waitingOptions });
  }
  if (!source.scripts || run.job.options.disable_javascript) return;
  const answer = await runDiagnostic(run, 'find pending timers', () =>
    executeJavaScript(window.contents, timersCode),
  );
  const [next, ...more] = validTimers(answer);
  if (next !== undefined) noteTimers(run, next, more.length);
}

function noteTimers({ log }: Loading['run'], { due, delay, from }: DelayedTimer, more: number): void {
  const scriptOption = /^(custom_javascript|on_load_javascript):/.exec(from)?.[1];
  const advice =
    scriptOption === undefined
      ? `To wait for it, set settle_limit=${delay} or javascript_delay=${delay}`
      : `To wait for it, end ${scriptOption} with a promise`;
  const others = more === 0 ? '' : `, and ${more} more ${more === 1 ? 'timer was' : 'timers were'} pending`;
  log.note(
    `A timer set in ${from} was still due in ${due} ms when the page was converted${others}. Its script may change the page. ${advice}.`,
    {
      code: 'late-changes',
      options:
        scriptOption === undefined
          ? ['settle_limit', 'javascript_delay', 'wait_for_element']
          : [scriptOption],
    },
  );
}

/** See page-scripts/settling.ts. */
const timersCode = "globalThis[Symbol.for('platen.settling')]?.delayedTimers()";

/** Returns the valid timers in the answer. The answer is checked, because the page's scripts can forge it. */
function validTimers(answer: unknown): DelayedTimer[] {
  if (!Array.isArray(answer)) return [];
  return (answer as unknown[]).slice(0, 100).flatMap((entry) => {
    const { due, delay, from } = { ...(entry as Partial<Record<keyof DelayedTimer, unknown>> | null) };
    const isValid = typeof due === 'number' && typeof delay === 'number' && typeof from === 'string';
    return isValid ? [{ due, delay, from: withDisplayUrls(from.slice(0, 200)) }] : [];
  });
}
