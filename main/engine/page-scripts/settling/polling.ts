/** Detects polling: requests that a page repeats endlessly. Part of the page script `settling`. */

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
  /** The number of requests made by a timer, recognised by the time since the previous response. */
  timedRequests: number;
  /** Real time of the first poll in milliseconds. */
  pollingSince: number | undefined;
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
/** The longest wait for the polling of one address in milliseconds. */
const pollTimeoutMs = 500;
const maxKeys = 1000;
const maxKeyLength = 4000;
/** Matches URL parameters that differ in each request, to bypass caches. */
const cacheBusters = /([?&])(_|cb|nocache|cache_?buster|rand|random)=[^&]*/gi;
const dayMs = 86_400_000;

export class PollingDetector {
  readonly #realNow: () => number;
  readonly #pageNow: () => number;
  readonly #histories = new Map<string, RequestHistory>();

  constructor({ realNow, pageNow }: { readonly realNow: () => number; readonly pageNow: () => number }) {
    this.#realNow = realNow;
    this.#pageNow = pageNow;
  }

  /** Records the start of a request. */
  begin(address: string, body: unknown): WatchedRequest {
    const same = this.#historyOf(`${withoutTimestamps(address)} ${keyOf(body)}`);
    // Without the URL parameters, because those of a poll may contain a counter.
    const path = this.#historyOf(`${address.split('?')[0] ?? ''} path`);
    if (path.answers > 0 && this.#pageNow() - path.answeredAt > timerDelayMs) path.timedRequests += 1;
    const isRepeated = same.answers > 0;
    const repeats =
      same.answers >= minAnswers || same.failures >= minFailures || path.timedRequests > minTimedRequests;
    if (repeats) path.pollingSince ??= this.#realNow();
    return {
      isPoll: repeats && this.#realNow() - (path.pollingSince ?? Infinity) > pollTimeoutMs,
      isRepeated,
      end: (status) => {
        for (const history of [same, path]) {
          if (isRetried(status)) history.failures += 1;
          else history.answers += 1;
          history.answeredAt = this.#pageNow();
        }
      },
    };
  }

  #historyOf(key: string): RequestHistory {
    const short = key.slice(0, maxKeyLength);
    const address: RequestHistory = this.#histories.get(short) ?? {
      answers: 0,
      failures: 0,
      answeredAt: 0,
      timedRequests: 0,
      pollingSince: undefined,
    };
    if (this.#histories.size < maxKeys) this.#histories.set(short, address);
    return address;
  }
}

/**
 * Returns whether clients retry after this status (RFC 9110, RFC 6585), or without a response (undefined; 0 from XMLHttpRequest).
 */
function isRetried(status: number | undefined): boolean {
  return (
    status === undefined ||
    status === 0 ||
    status === 202 ||
    status === 425 ||
    status === 429 ||
    status >= 500
  );
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
