/** Waiting that ends with a signal. */
import { setMaxListeners } from 'node:events';

/** The promise's outcome, or the signal's reason as soon as it aborts; the promise then goes on unobserved. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}

/** Follows other signals until it is disposed. */
export interface Linked extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * A signal that aborts as the first of these does. For one that outlives the work: AbortSignal.any would leave an entry on it
 * for ever, for each signal that is made of it or of its likes (Node 20, nodejs/node#55351).
 */
export function linked(signals: readonly AbortSignal[]): Linked {
  const controller = new AbortController();
  const onAbort = () => {
    controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  };
  // Any number may follow one signal, and Node would warn of the eleventh.
  setMaxListeners(0, ...signals);
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  if (signals.some(({ aborted }) => aborted)) onAbort();
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Resolves after some milliseconds, or rejects with the signal's reason. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await unlessAborted(signal, new Promise((resolve) => (timer = setTimeout(resolve, milliseconds))));
  } finally {
    clearTimeout(timer);
  }
}
