/**
 * Tracks the pending work of a page that takes real time: requests of its scripts; scripts, style sheets, images and frames added
 * to the document; messages to workers and of servers; and asynchronous browser work (computations.ts). `fetch` requests with
 * keepalive do not count. Part of the page script `settling`.
 */
import type { Moment } from './clock.ts';
import { watchComputations, type BeginWork, type End } from './computations.ts';
import { isLongPoll, PollingDetector } from './polling.ts';
import { named, replaceSetter } from './replacements.ts';
import { pushTimeoutMs, PushTracker } from './server-push.ts';
import { watchBodies, watchStreams } from './streams.ts';
import { watchWorkers, type WorkerTraffic } from './workers.ts';

export interface PendingWork {
  readonly kind: 'request' | 'resource' | 'computation' | 'worker' | 'socket';
  /** An address, shortened to 2000 characters, or a description such as a method name. */
  readonly name: string;
}

interface PendingEntry {
  readonly kind: PendingWork['kind'];
  readonly name: string;
  /** Real time of the start in milliseconds. */
  readonly began: number;
  /** When the page started it. */
  readonly startedAt: Moment;
  /** Longest wait in milliseconds. */
  readonly timeoutMs: number;
  /** Whether the work is no longer awaited. */
  isIgnored: boolean;
}

type NewEntry = Pick<PendingEntry, 'kind' | 'name' | 'timeoutMs'>;

const maxNameLength = 2000;
/**
 * Longest waits in milliseconds. A slower request is awaited only while the page looks unfinished. Repeated identical requests may be
 * long polls.
 */
const timeoutsMs = {
  request: 3000,
  longPoll: 700,
  repeated: 1500,
  firstChunk: pushTimeoutMs,
  computation: Infinity,
  resource: Infinity,
} as const;
/** The time that a meta refresh may be late, in milliseconds. */
const refreshDelayMs = 1000;
/** The settle limit to which the longest waits apply, in milliseconds. */
const usualLimitMs = 5000;
/** Milliseconds between two checks whether the page looks unfinished. */
const unfinishedCheckMs = 100;

interface Clocks {
  /** Real time in milliseconds. */
  readonly realNow: () => number;
  /** The page's time in milliseconds. */
  readonly pageNow: () => number;
  /** The page's time and task. */
  readonly moment: () => Moment;
  /** Called when a request that was sent at this moment is no longer awaited. */
  readonly onIgnored: (sent: Moment) => void;
  /** Returns the number of changes of the page so far; undefined while they are not watched. */
  readonly changeCount: () => number | undefined;
  /** Page time at which a timer ran last, in milliseconds. */
  readonly timerRanAt: () => number;
  /** Returns whether a timer is pending; see `PageClock`. */
  readonly hasTimer: (since: number, until: number, repeating: boolean) => boolean;
  /** The settle limit in milliseconds. */
  readonly limitMs: () => number;
  /** Returns whether the page looks unfinished; see loading-signs.ts. */
  readonly looksUnfinished: () => boolean;
}

export class PendingWorkTracker {
  readonly #clocks: Clocks;
  readonly #open = new Set<PendingEntry>();
  readonly #polling: PollingDetector;
  readonly #begin: BeginWork;
  readonly #push: PushTracker;
  #workers: readonly WorkerTraffic[] = [];
  #unfinished = { checkedAt: -Infinity, isUnfinished: false };
  #hasReadRefresh = false;
  /** The workers that the service has found busy. */
  busyWorkers: readonly { readonly name: string; readonly isOverdue: boolean }[] = [];

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#polling = new PollingDetector({ ...clocks, looksUnfinished: () => this.#looksUnfinished() });
    this.#begin = (kind, name) => this.#add({ kind, name, timeoutMs: timeoutsMs[kind] });
    this.#push = new PushTracker({
      now: clocks.realNow,
      looksUnfinished: () => this.#looksUnfinished(),
      changeCount: clocks.changeCount,
      patience: () => this.#patience,
    });
  }

  /** Watches the work that the page's scripts start. Call it before the scripts run. */
  install(): void {
    this.#watchFetch();
    watchBodies((address) => this.#begin('request', address));
    watchStreams((isFirst) => {
      const timeoutMs = timeoutsMs[isFirst ? 'firstChunk' : 'longPoll'];
      return this.#add({ kind: 'request', name: 'a stream', timeoutMs });
    });
    this.#watchXhr();
    this.#watchDetachedImages();
    this.#push.install();
    this.#watchViewTransitions();
    this.#workers = watchWorkers({
      now: this.#clocks.realNow,
      looksUnfinished: () => this.#looksUnfinished(),
    });
    watchComputations(this.#begin);
  }

  /** Returns the awaited work. */
  list(): PendingWork[] {
    this.#readRefresh();
    const pending: PendingWork[] = [];
    this.#open.forEach((entry) => {
      if (this.#isAwaited(entry)) pending.push({ kind: entry.kind, name: entry.name });
    });
    for (const worker of this.#workers)
      if (worker.isBusy()) pending.push({ kind: 'worker', name: worker.name });
    for (const { name, isOverdue } of this.busyWorkers)
      if (!isOverdue || this.#looksUnfinished()) pending.push({ kind: 'worker', name });
    for (const name of this.#polling.pauses) pending.push({ kind: 'request', name });
    for (const name of this.#push.awaited()) pending.push({ kind: 'socket', name });
    return pending;
  }

  get isEmpty(): boolean {
    this.#readRefresh();
    const isTrivial =
      this.#open.size === 0 &&
      this.#workers.length + this.busyWorkers.length === 0 &&
      this.#push.isEmpty &&
      this.#polling.isEmpty;
    return isTrivial || this.list().length === 0;
  }

  /** Whether messages of WebSockets or event streams are awaited. */
  get awaitsPush(): boolean {
    return this.#push.isWaiting;
  }

  /** Descriptions of streams without a message, and of requests that are no longer awaited, except long polls. */
  get unanswered(): string[] {
    const requests = [...this.#open]
      .filter(({ kind, isIgnored, name }) => kind === 'request' && isIgnored && !isLongPoll(name))
      .map(({ name }) => `a request without a response (${name})`);
    const repeated = this.#polling.abandoned.map((name) => `a request that the page repeats (${name})`);
    return [...requests, ...repeated, ...this.#push.silent];
  }

  #isAwaited(entry: PendingEntry): boolean {
    if (entry.isIgnored) return false;
    const patience = entry.kind === 'request' ? this.#patience : 1;
    if (this.#clocks.realNow() - entry.began <= entry.timeoutMs * patience) return true;
    if (entry.kind === 'request' && this.#looksUnfinished()) return true;
    entry.isIgnored = true;
    if (entry.kind === 'request') this.#clocks.onIgnored(entry.startedAt);
    return false;
  }

  /** The factor for the longest waits: a larger settle limit extends them. */
  get #patience(): number {
    return Math.max(1, this.#clocks.limitMs() / usualLimitMs);
  }

  #looksUnfinished(): boolean {
    const now = this.#clocks.realNow();
    if (now - this.#unfinished.checkedAt > unfinishedCheckMs)
      this.#unfinished = { checkedAt: now, isUnfinished: this.#clocks.looksUnfinished() };
    return this.#unfinished.isUnfinished;
  }

  /** Watches the resources that an added node and the elements inside it load. */
  watchAdded(node: Node): void {
    if (!(node instanceof Element)) return;
    if (node.matches(loadingElements)) this.#watchElement(node);
    // Most added nodes have no child elements.
    if (node.firstElementChild !== null)
      for (const element of node.querySelectorAll(loadingElements)) this.#watchElement(element);
  }

  /**
   * Records the start of a request. Returns a function that records its end; `status` is the status of the response, if any.
   * Polling is awaited only for a limited time.
   */
  #beginRequest(name: string, body: unknown): (status?: number) => void {
    const request = this.#polling.begin(name, body);
    if (request.isPoll) return request.end;
    const timeoutMs = timeoutsMs[isLongPoll(name) ? 'longPoll' : request.isRepeated ? 'repeated' : 'request'];
    const end = this.#add({ kind: 'request', name, timeoutMs });
    return (status) => {
      request.end(status);
      end();
    };
  }

  #add({ kind, name, timeoutMs }: NewEntry): End {
    const { realNow, moment } = this.#clocks;
    const entry: PendingEntry = {
      kind,
      name: name.slice(0, maxNameLength),
      began: realNow(),
      startedAt: moment(),
      timeoutMs,
      isIgnored: false,
    };
    this.#open.add(entry);
    return () => {
      this.#open.delete(entry);
    };
  }

  /** Reads the page's meta refresh. If the refresh leads to another page, it counts as pending work. */
  #readRefresh(): void {
    if (this.#hasReadRefresh) return;
    this.#hasReadRefresh = true;
    const content = document.querySelector('meta[http-equiv="refresh" i]')?.getAttribute('content') ?? '';
    const [, seconds = '', address = ''] =
      /^\s*([\d.]+)(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content) ?? [];
    if (address === '' || !URL.canParse(address, document.baseURI)) return;
    const target = new URL(address, document.baseURI).href;
    if (target.split('#')[0] === document.URL.split('#')[0]) return;
    // The refresh replaces the page. If it does not happen, the wait ends with the timeout.
    this.#add({ kind: 'resource', name: target, timeoutMs: Number(seconds) * 1000 + refreshDelayMs });
  }

  #watchElement(element: Element): void {
    if (element instanceof HTMLImageElement) {
      if (!element.complete && element.loading !== 'lazy')
        this.#watchLoad(element, element.currentSrc || element.src);
      return;
    }
    const address = element.getAttribute('src') ?? element.getAttribute('href') ?? '';
    this.#watchLoad(element, new URL(address, document.baseURI).href);
  }

  #watchLoad(element: Element, address: string): void {
    const end = this.#begin('resource', address);
    element.addEventListener('load', end, { once: true });
    element.addEventListener('error', end, { once: true });
  }

  #watchFetch(): void {
    const native = globalThis.fetch;
    globalThis.fetch = named('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
      const response = native.call(globalThis, input, init);
      const isKept = init?.keepalive === true || (input instanceof Request && input.keepalive);
      if (!isKept) {
        const body = init?.body ?? (input instanceof Request ? input.body : undefined);
        const end = this.#beginRequest(addressOf(input), body);
        response.then(
          (answer) => {
            end(answer.status);
            if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true)
              this.#push.watchResponse(answer);
          },
          () => {
            end();
          },
        );
      }
      return response;
    });
  }

  #watchXhr(): void {
    const prototype = XMLHttpRequest.prototype;
    const addresses = new WeakMap<XMLHttpRequest, string>();
    const { open, send } = prototype;
    const begin = (request: XMLHttpRequest, body: unknown) => {
      const end = this.#beginRequest(addresses.get(request) ?? '', body);
      const onEnd = () => {
        end(request.status);
      };
      request.addEventListener('loadend', onEnd, { once: true });
    };
    const watchedOpen = function (this: XMLHttpRequest, ...parameters: unknown[]) {
      addresses.set(this, addressOf(parameters[1]));
      Reflect.apply(open, this, parameters);
    };
    const watchedSend = function (this: XMLHttpRequest, body?: XMLHttpRequestBodyInit | null) {
      send.call(this, body);
      if (this.readyState !== XMLHttpRequest.DONE) begin(this, body);
    };
    prototype.open = named('open', watchedOpen as typeof open);
    prototype.send = named('send', watchedSend);
  }

  /** Watches images outside the document, such as those for canvases and textures. */
  #watchDetachedImages(): void {
    const watch = (image: HTMLImageElement) => {
      if (!image.complete && !image.isConnected) this.#watchLoad(image, image.src);
    };
    replaceSetter(HTMLImageElement.prototype, 'src', (native) => {
      return function (this: unknown, ...parameters: unknown[]) {
        Reflect.apply(native, this, parameters);
        watch(this as HTMLImageElement);
      };
    });
  }

  /** Watches view transitions: the callback that changes the document runs in a later browser frame. */
  #watchViewTransitions(): void {
    const native = Document.prototype.startViewTransition as Document['startViewTransition'] | undefined;
    if (native === undefined) return;
    const begin = () => this.#begin('resource', 'a view transition');
    Document.prototype.startViewTransition = named(
      'startViewTransition',
      function (this: Document, ...parameters) {
        const transition = native.apply(this, parameters);
        const end = begin();
        transition.ready.then(end, end);
        return transition;
      },
    );
  }
}

/**
 * Elements with a load event. The document's load event waits for those that the HTML contains, but not for all that scripts add.
 */
const loadingElements = 'script[src], link[rel~="stylesheet" i][href], img[src], img[srcset], iframe[src]';

function addressOf(input: unknown): string {
  const text = input instanceof Request ? input.url : String(input);
  return URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI).href : text;
}
