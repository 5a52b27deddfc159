/**
 * Detects polling: requests that a page repeats, often until a server has finished a job. The pauses between them pass in real time,
 * because the server does not work faster on a fast clock. Part of the page script `settling`.
 */
interface WatchedRequest {
  /** Whether the request is a poll, and polls of its address have been awaited long enough. */
  readonly isPoll: boolean;
  /** Whether an identical request was answered before. */
  readonly isRepeated: boolean;
  /** Call this when the request ends, with the status of the response if there is one. */
  readonly end: (status?: number) => void;
}

interface RequestHistory {
  answers: number;
  failures: number;
  /** Page time of the last response in milliseconds. */
  answeredAt: number;
  /** The number of requests made by a timer. */
  timedRequests: number;
  /** Real time of the first poll in milliseconds. */
  pollingSince: number | undefined;
  /** The pause before the next request; undefined if none is expected. */
  pause: PollingPause | undefined;
}

/** A pause between two requests of a page that polls. */
interface PollingPause {
  /** The address of the last request. */
  readonly name: string;
  /** Real time of the last response in milliseconds. */
  readonly since: number;
  /** Page time when the last request was sent. A timer that was set later may send the next one. */
  readonly sentAt: number;
  /** Whether a repeating timer may send the next request. */
  readonly isRepeating: boolean;
}

interface PollingWatch {
  /** Real time in milliseconds. */
  readonly realNow: () => number;
  /** Page time in milliseconds. */
  readonly pageNow: () => number;
  /** Page time at which a timer ran last, in milliseconds. */
  readonly timerRanAt: () => number;
  /** Returns whether a timer is pending; see `PageClock`. */
  readonly hasTimer: (since: number, until: number, repeating: boolean) => boolean;
  /** The settle limit in milliseconds. */
  readonly limitMs: () => number;
  readonly looksUnfinished: () => boolean;
}

/** After this many answered requests, a further identical request counts as polling. */
const minAnswers = 2;
/**
 * After this many requests made by a timer, further requests of a path count as polling, even if each differs. A page may also load its
 * data part by part.
 */
const minTimedRequests = 12;
/** After this many failed requests, a further identical request counts as polling. Pages that retry usually give up earlier. */
const minFailures = 6;
/** A request that begins more than this many milliseconds of page time after a response counts as made by a timer. */
const timerDelayMs = 150;
/** A request that begins at most this many milliseconds of page time after a timer has run counts as made by that timer. */
const nearTimerMs = 5;
/**
 * The longest wait for the polling of one address, as a share of the settle limit, since the page has last changed. While the page looks
 * unfinished, only the limit itself ends the wait.
 */
const patienceShare = 0.7;
/** The time that a page has to set a timer after a response, in milliseconds. */
const reactionTimeMs = 50;
/** In a page with more elements, changes are not looked for. */
const maxComparedElements = 10_000;
const maxKeys = 1000;
const maxKeyLength = 4000;
/** Matches URL parameters that differ in each request, to bypass caches. */
const cacheBusters = /([?&])(_|cb|nocache|cache_?buster|rand|random)=[^&]*/gi;
const dayMs = 86_400_000;

export class PollingDetector {
  readonly #watch: PollingWatch;
  readonly #histories = new Map<string, RequestHistory>();
  /** The histories of paths that are in a pause. */
  readonly #paused = new Set<RequestHistory>();
  #content: string | undefined;
  /** Real time at which polls have last found the page changed, in milliseconds. */
  #changedAt = -Infinity;

  constructor(watch: PollingWatch) {
    this.#watch = watch;
  }

  get isEmpty(): boolean {
    return this.#paused.size === 0;
  }

  /** The addresses of the last requests before the pauses that pass in real time. */
  get pauses(): string[] {
    return this.#addresses(false);
  }

  /** The addresses whose polling was awaited long enough. */
  get abandoned(): string[] {
    return this.#addresses(true);
  }

  #addresses(isOver: boolean): string[] {
    return [...this.#paused].flatMap((path) =>
      path.pause !== undefined && this.#isOver(path) === isOver && this.#isExpected(path.pause)
        ? [path.pause.name]
        : [],
    );
  }

  /** Records the start of a request. */
  begin(address: string, body: unknown): WatchedRequest {
    const { realNow, pageNow, timerRanAt } = this.#watch;
    const same = this.#historyOf(`${withoutTimestamps(address)} ${keyOf(body)}`);
    // Without the URL parameters, because those of a poll may contain a counter.
    const path = this.#historyOf(`${address.split('?')[0] ?? ''} path`);
    const sentAt = pageNow();
    const isNearTimer = sentAt - timerRanAt() <= nearTimerMs;
    const isLate = path.answers > 0 && sentAt - path.answeredAt > timerDelayMs;
    if (isLate) path.timedRequests += 1;
    const isRepeated = same.answers > 0;
    const repeats =
      same.answers >= minAnswers || same.failures >= minFailures || path.timedRequests > minTimedRequests;
    if (repeats) {
      path.pollingSince ??= realNow();
      if (this.#hasChanged()) this.#changedAt = realNow();
    }
    const isPoll = repeats && this.#isOver(path);
    if (!isPoll) this.#paused.delete(path);
    const isTimed = (isRepeated || repeats) && (isNearTimer || isLate);
    return {
      isPoll,
      isRepeated,
      end: (status) => {
        for (const history of [same, path]) {
          if (isRetried(status)) history.failures += 1;
          else history.answers += 1;
          history.answeredAt = pageNow();
        }
        if (!isTimed && !(isRetried(status) && hasStatus(status))) return;
        path.pollingSince ??= realNow();
        path.pause = { name: address, since: realNow(), sentAt, isRepeating: isTimed && isNearTimer };
        this.#paused.add(path);
      },
    };
  }

  /** Returns whether a timer may send the next request. */
  #isExpected({ since, sentAt, isRepeating }: PollingPause): boolean {
    const { realNow, pageNow, hasTimer, limitMs } = this.#watch;
    return realNow() - since <= reactionTimeMs || hasTimer(sentAt, pageNow() + limitMs(), isRepeating);
  }

  #isOver({ pollingSince = Infinity }: RequestHistory): boolean {
    const { realNow, limitMs, looksUnfinished } = this.#watch;
    const since = Math.max(pollingSince, this.#changedAt);
    return realNow() - since > patienceShare * limitMs() && !looksUnfinished();
  }

  /** Returns whether the document differs from that at the last call. Scripts may also replace content with the same. */
  #hasChanged(): boolean {
    const { documentElement } = document;
    const isLarge = document.getElementsByTagName('*').length > maxComparedElements;
    const before = this.#content;
    this.#content = isLarge ? '' : documentElement.outerHTML;
    return before !== undefined && before !== this.#content;
  }

  #historyOf(key: string): RequestHistory {
    const short = key.slice(0, maxKeyLength);
    const address: RequestHistory = this.#histories.get(short) ?? {
      answers: 0,
      failures: 0,
      answeredAt: 0,
      timedRequests: 0,
      pollingSince: undefined,
      pause: undefined,
    };
    if (this.#histories.size < maxKeys) this.#histories.set(short, address);
    return address;
  }
}

/**
 * Returns whether clients retry after this status (RFC 9110, RFC 6585), or without a response (undefined; 0 from XMLHttpRequest).
 */
function isRetried(status: number | undefined): boolean {
  return !hasStatus(status) || status === 202 || status === 425 || status === 429 || status >= 500;
}

function hasStatus(status: number | undefined): status is number {
  return status !== undefined && status !== 0;
}

function withoutTimestamps(address: string): string {
  const now = Date.now();
  const isNow = (digits: string) => [1, 1000].some((unit) => Math.abs(Number(digits) * unit - now) < dayMs);
  return address
    .replace(cacheBusters, '')
    .replace(/=(\d{10,13})(?=&|$)/g, (all, digits: string) => (isNow(digits) ? '=' : all));
}

let unreadableBodies = 0;

/** Returns a key that is equal for equal bodies. The key of a body that cannot be read is unique. */
function keyOf(body: unknown): string {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  if (body instanceof FormData) return JSON.stringify([...body]);
  unreadableBodies += 1;
  return `body ${unreadableBodies}`;
}

// Recognises addresses of long polls by the words in them. Used by the page script and by the service.

const longPolls =
  /\b(long-?poll(ing)?|poll(ing)?|comet|sse|event-?(stream|source)|listen|subscribe|signalr|sockjs|socket\.io|hot-update|livereload)\b/i;

/** Returns whether the words of the address suggest a long poll. */
export function isLongPoll(address: string): boolean {
  return longPolls.test(address);
}
