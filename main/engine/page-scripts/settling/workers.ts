/** Detects by their messages which web workers of a page are busy. Part of the page script `settling`. */
import { named } from './replacements.ts';

export interface WorkerTraffic {
  /** The worker's address. */
  readonly name: string;
  readonly isBusy: () => boolean;
}

interface MessageCounts {
  readonly name: string;
  readonly began: number;
  sent: number;
  received: number;
  lastAt: number;
  isOver: boolean;
}

/** The longest wait for a reply in milliseconds. A worker may never reply. */
const answerTimeoutMs = 2000;
/** The longest wait for a new worker without any messages, in milliseconds. */
const startTimeoutMs = 500;
/** After this many milliseconds without a message, a worker that has replied counts as done. */
const quietTimeMs = 150;
/** The total wait for one worker in milliseconds. It may send messages endlessly. */
const budgetMs = 2500;

interface WorkerWatch {
  /** Real time in milliseconds. */
  readonly now: () => number;
  /** Returns whether the page looks unfinished. In such a page, a silent worker may still send content. */
  readonly looksUnfinished: () => boolean;
}

/** Watches the workers that the page creates. Returns a list to which each new worker is added. */
export function watchWorkers({ now, looksUnfinished }: WorkerWatch): readonly WorkerTraffic[] {
  const list: WorkerTraffic[] = [];
  const NativeWorker = globalThis.Worker as typeof Worker | undefined;
  if (NativeWorker === undefined) return list;
  const messageCounts = new WeakMap<Worker, MessageCounts>();
  const begin = (worker: Worker, name: string) => {
    const traffic: MessageCounts = { name, began: now(), sent: 0, received: 0, lastAt: now(), isOver: false };
    messageCounts.set(worker, traffic);
    list.push({ name, isBusy: () => isBusy(traffic, now(), looksUnfinished) });
    worker.addEventListener('message', () => {
      traffic.received += 1;
      traffic.lastAt = now();
    });
    for (const event of ['messageerror', 'error'])
      worker.addEventListener(event, () => {
        traffic.isOver = true;
      });
  };
  const WatchedWorker = new Proxy(NativeWorker, {
    construct(target, parameters: unknown[], newTarget: new () => object) {
      const worker = Reflect.construct(target, parameters, newTarget) as Worker;
      begin(worker, String(parameters[0]));
      return worker;
    },
  });
  Object.defineProperty(globalThis, 'Worker', { value: WatchedWorker, writable: true, configurable: true });
  const { postMessage, terminate } = NativeWorker.prototype;
  const post = function (this: Worker, ...parameters: unknown[]) {
    Reflect.apply(postMessage, this, parameters);
    const traffic = messageCounts.get(this);
    if (traffic === undefined) return;
    traffic.sent += 1;
    traffic.lastAt = now();
  };
  NativeWorker.prototype.postMessage = named('postMessage', post as typeof postMessage);
  NativeWorker.prototype.terminate = named('terminate', function (this: Worker) {
    const traffic = messageCounts.get(this);
    if (traffic !== undefined) traffic.isOver = true;
    terminate.call(this);
  });
  return list;
}

function isBusy(traffic: MessageCounts, now: number, looksUnfinished: () => boolean): boolean {
  const { isOver, began, sent, received, lastAt } = traffic;
  if (isOver || now - began > budgetMs) return false;
  if (sent === 0 && received === 0 && now - began < startTimeoutMs) return true;
  if (now - lastAt < (sent > received ? answerTimeoutMs : quietTimeMs)) return true;
  return now - lastAt < answerTimeoutMs && looksUnfinished();
}
