/** Detects by their messages which workers and shared workers of a page are busy. Part of the page script `settling`. */
import { reportsProgress } from './progress-messages.ts';
import { replaceMethodOnce, watchConstructor } from './replacements.ts';

export interface WorkerTraffic {
  /** The worker's address. */
  readonly name: string;
  readonly isBusy: () => boolean;
}

/** An object through which a page and a worker exchange messages. */
type Endpoint = Worker | MessagePort;

interface MessageCounts {
  readonly name: string;
  readonly began: number;
  readonly quietTimeMs: number;
  sent: number;
  received: number;
  lastAt: number;
  /** Whether the last message came from the page, or reported progress. */
  expectsMore: boolean;
  isOver: boolean;
}

/** The longest wait for a reply in milliseconds. A worker may never reply. */
const answerTimeoutMs = 3000;
/** The longest wait for a new worker without any messages, in milliseconds. */
const startTimeoutMs = 500;
/**
 * After this many milliseconds without a message, a worker that has replied counts as done. It may report progress several times. The
 * service asks only dedicated workers whether they are busy.
 */
const quietTimesMs = { worker: 450, sharedWorker: 1300 } as const;
/** The total wait for one worker in milliseconds. */
const budgetMs = { default: 5000, endless: 2500 } as const;
/** A worker that has sent this many more messages than it got may send them endlessly. */
const minEndless = 100;

interface WorkerWatch {
  /** Real time in milliseconds. */
  readonly now: () => number;
  /** Returns whether the page looks unfinished. In such a page, a silent worker may still send content. */
  readonly looksUnfinished: () => boolean;
}

/** Watches the workers that the page creates. Returns a list to which each new worker is added. */
export function watchWorkers(watch: WorkerWatch): readonly WorkerTraffic[] {
  const tracker = new WorkerTracker(watch);
  tracker.install();
  return tracker.list;
}

class WorkerTracker {
  readonly list: WorkerTraffic[] = [];
  readonly #watch: WorkerWatch;
  readonly #counts = new WeakMap<Endpoint, MessageCounts>();
  readonly #otherEnds = new WeakMap<MessagePort, WeakRef<MessagePort>>();

  constructor(watch: WorkerWatch) {
    this.#watch = watch;
  }

  install(): void {
    watchConstructor('Worker', (worker, [url]) => {
      this.#watchPosts(Worker.prototype);
      const counts = this.#begin(worker as Worker, String(url), quietTimesMs.worker);
      for (const event of ['messageerror', 'error'])
        (worker as Worker).addEventListener(event, () => {
          counts.isOver = true;
        });
    });
    watchConstructor('SharedWorker', (worker, [url]) => {
      this.#begin((worker as SharedWorker).port, String(url), quietTimesMs.sharedWorker);
    });
    watchConstructor('MessageChannel', (channel) => {
      const { port1, port2 } = channel as MessageChannel;
      this.#otherEnds.set(port1, new WeakRef(port2));
      this.#otherEnds.set(port2, new WeakRef(port1));
    });
  }

  #begin(endpoint: Endpoint, name: string, quietTimeMs: number): MessageCounts {
    const { now, looksUnfinished } = this.#watch;
    const counts: MessageCounts = {
      name,
      began: now(),
      quietTimeMs,
      sent: 0,
      received: 0,
      lastAt: now(),
      expectsMore: false,
      isOver: false,
    };
    this.list.push({ name, isBusy: () => isBusy(counts, now(), looksUnfinished) });
    this.#watchEndpoint(endpoint, counts);
    return counts;
  }

  #watchEndpoint(endpoint: Endpoint, counts: MessageCounts): void {
    if (this.#counts.has(endpoint)) return;
    this.#counts.set(endpoint, counts);
    if (endpoint instanceof MessagePort) this.#watchPosts(MessagePort.prototype);
    // The type of both kinds of events is the same; `Endpoint` has no common signature.
    (endpoint as EventTarget).addEventListener('message', (event) => {
      const { data, ports } = event as MessageEvent<unknown>;
      counts.received += 1;
      counts.expectsMore = reportsProgress(data);
      counts.lastAt = this.#watch.now();
      // Libraries such as Comlink continue over a port that the worker sends.
      for (const port of ports) this.#watchEndpoint(port, counts);
    });
  }

  /** Watches what scripts send through objects of this class, and `terminate`. */
  #watchPosts(prototype: object): void {
    const onPosted = (endpoint: unknown, transferred: unknown) => {
      this.#onPosted(endpoint as Endpoint, transferred);
    };
    const onTerminated = (endpoint: unknown) => {
      const counts = this.#counts.get(endpoint as Endpoint);
      if (counts !== undefined) counts.isOver = true;
    };
    replaceMethodOnce(prototype, 'postMessage', (native) => {
      return function (this: unknown, ...parameters: unknown[]) {
        Reflect.apply(native, this, parameters);
        onPosted(this, parameters[1]);
      };
    });
    replaceMethodOnce(prototype, 'terminate', (native) => {
      return function (this: unknown) {
        onTerminated(this);
        Reflect.apply(native, this, []);
      };
    });
  }

  #onPosted(endpoint: Endpoint, options: unknown): void {
    const counts = this.#counts.get(endpoint);
    if (counts === undefined) return;
    counts.sent += 1;
    counts.expectsMore = true;
    counts.lastAt = this.#watch.now();
    for (const port of portsIn(options)) {
      const otherEnd = this.#otherEnds.get(port)?.deref();
      if (otherEnd !== undefined) this.#watchEndpoint(otherEnd, counts);
    }
  }
}

/** Returns the ports among the transferred objects, which are the second parameter of `postMessage` or part of it. */
function portsIn(options: unknown): readonly MessagePort[] {
  const transferred = Array.isArray(options)
    ? (options as unknown[])
    : ((options as StructuredSerializeOptions | null | undefined)?.transfer ?? []);
  return transferred.filter((object) => object instanceof MessagePort);
}

function isBusy(counts: MessageCounts, now: number, looksUnfinished: () => boolean): boolean {
  const { isOver, began, quietTimeMs, sent, received, lastAt, expectsMore } = counts;
  const budget = received - sent > minEndless ? budgetMs.endless : budgetMs.default;
  if (isOver || now - began > budget) return false;
  if (sent === 0 && received === 0 && now - began < startTimeoutMs) return true;
  if (now - lastAt < (expectsMore || sent > received ? answerTimeoutMs : quietTimeMs)) return true;
  return now - lastAt < answerTimeoutMs && looksUnfinished();
}
