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

/** The interval in milliseconds between two checks of a document that is incomplete after the load timeout. */
const checkIntervalMs = 500;

/**
 * The longest time in milliseconds from the load timeout, or from the document's first byte if that is later, until loading stops. A
 * busy machine may need seconds to parse a document.
 */
const parseTimeoutMs = 5000;

/** Types of requests for which the parser may wait. */
const blockingTypes = ['script', 'stylesheet', 'xhr'] as const;

/**
 * Once `expire` is called, stops loading as soon as a complete document is present. Until then, drops the connections of requests for
 * which the parser waits. A page that reloads itself is between two documents most of the time, and would be empty if loading were
 * stopped there. Therefore new navigations are blocked from `expire` to `end`.
 */
export class LoadTimeout {
  readonly #loading: Loading;
  readonly #wasFrozen: boolean;
  readonly #watch: DocumentWatch;
  #hasExpired = false;
  #isNoted = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  /** `hasDocument`: the window already shows a document. */
  constructor(loading: Loading, hasDocument: boolean) {
    this.#loading = loading;
    this.#wasFrozen = loading.window.isNavigationBlocked;
    this.#watch = watchDocument(loading.window.contents, hasDocument, {
      onCommit: () => {
        this.#beginChecks();
      },
      onChange: () => {
        this.#stopIfComplete();
      },
    });
  }

  get hasExpired(): boolean {
    return this.#hasExpired;
  }

  /** Call this when the load timeout has passed. */
  expire(): void {
    this.#hasExpired = true;
    this.#loading.window.isNavigationBlocked = true;
    this.#beginChecks();
    this.#stopIfComplete();
  }

  /** Call this when waiting for the page to load has ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.#loading.window.isNavigationBlocked = this.#wasFrozen;
    this.#watch.end();
  }

  #beginChecks(): void {
    // Without any document there is nothing to convert, so loading continues until the job timeout.
    if (this.#hasExpired && this.#watch.committed) this.#checkLater(checkIntervalMs);
  }

  #checkLater(elapsedMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#check(elapsedMs);
    }, checkIntervalMs);
  }

  #check(elapsedMs: number): void {
    const { requests, guard } = this.#loading.window.context;
    const types = requests.pendingTypes();
    // The document itself may stream forever. What has arrived is then converted.
    if (types.has('mainFrame') || elapsedMs >= parseTimeoutMs) {
      this.#stop();
      return;
    }
    // Without these resources, the parser continues with the rest of the document.
    if (blockingTypes.some((type) => types.has(type))) {
      this.#giveUpPending();
      guard.dropConnections();
    }
    this.#checkLater(elapsedMs + checkIntervalMs);
  }

  #stopIfComplete(): void {
    if (this.#hasExpired && this.#watch.parsed && !this.#watch.navigating) this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#giveUpPending();
    this.#loading.window.contents.stop();
  }

  /** Records the pending requests as failed. Notes those of the first call. */
  #giveUpPending(): void {
    if (!this.#isNoted) noteLoadTimeout(this.#loading);
    this.#isNoted = true;
    this.#loading.window.context.requests.failPending();
  }
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

interface DocumentEvents {
  /** A document has started to arrive. */
  readonly onCommit: () => void;
  /** A document has been parsed, or a navigation has failed. */
  readonly onChange: () => void;
}

function watchDocument(
  contents: WebContents,
  hasDocument: boolean,
  { onCommit, onChange }: DocumentEvents,
): DocumentWatch {
  const state = { committed: hasDocument, parsed: hasDocument, navigating: true };
  const onStart = ({ isMainFrame, isSameDocument }: Event<WebContentsDidStartNavigationEventParams>) => {
    if (isMainFrame && !isSameDocument) state.navigating = true;
  };
  const onNavigated = () => {
    Object.assign(state, { committed: true, parsed: false, navigating: false });
    onCommit();
  };
  const onParsed = () => {
    state.parsed = true;
    onChange();
  };
  const onFailedStart = (_event: unknown, _code: number, ...[, , isMainFrame]: [string, string, boolean]) => {
    if (isMainFrame) state.navigating = false;
    onChange();
  };
  contents.on('did-start-navigation', onStart).on('did-navigate', onNavigated);
  contents.on('dom-ready', onParsed).on('did-fail-provisional-load', onFailedStart);
  const end = () => {
    contents.off('did-start-navigation', onStart).off('did-navigate', onNavigated);
    contents.off('dom-ready', onParsed).off('did-fail-provisional-load', onFailedStart);
  };
  return Object.assign(state, { end });
}

function noteLoadTimeout({ window, run }: Loading): void {
  const limit = limitName(run);
  const pending =
    joinAddresses(window.context.requests.pendingUrls()) || 'unknown (no pending request has an address)';
  run.log.setStageReason(`${limit} was reached; still pending: ${pending}`);
  run.log.note(
    `The page was still loading after ${limit} and was converted as it was. Pending at that time: ${pending}.`,
    { code: 'late-resources', options: ['max_loading_time'] },
  );
}

/** Returns the name of the limit to the loading time, for a message. */
export function limitName({ job }: Pick<Loading['run'], 'job'>): string {
  return job.options.max_loading_time === undefined ? 'half of job-timeout' : 'max_loading_time';
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

/** Notes pending requests and, if the log is recorded, scheduled timers. */
export async function notePendingWork({ window, source, run }: Loading): Promise<void> {
  const pending = joinAddresses(
    window.context.requests.pendingUrls().filter((address) => !isLongPoll(address)),
  );
  if (pending !== '') {
    const text = `The page was converted while these requests were still pending: ${pending}. Their content is missing from the output.`;
    run.log.note(text, { code: 'late-resources', options: waitingOptions });
  }
  if (!run.log.isRecorded || !source.scripts || run.job.options.disable_javascript) return;
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
