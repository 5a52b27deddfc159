/** Promises that reject on an abort signal or after a timeout, and abort signals that are linked to other signals. */
import { setMaxListeners } from 'node:events';

/** Settles like the promise, or rejects with the signal's reason if the signal is aborted. Does not cancel the promise itself. */
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
    allowManyListeners(signal);
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}

/** Node warns about the eleventh listener, but many jobs may wait for one signal, such as that of the shutdown. */
function allowManyListeners(...signals: readonly AbortSignal[]): void {
  setMaxListeners(0, ...signals);
}

/** `signal` is linked to other signals until this object is disposed of. */
interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Returns a signal that is aborted with the first of the given signals. Use this function for signals that outlive the work:
 * AbortSignal.any would leak an entry on them for each derived signal (Node 20, nodejs/node#55351).
 */
export function linkSignals(signals: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  const onAbort = () => {
    controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  };
  allowManyListeners(...signals);
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  if (signals.some(({ aborted }) => aborted)) onAbort();
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Resolves after the given time, or rejects with the signal's reason. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await unlessAborted(signal, new Promise((resolve) => (timer = setTimeout(resolve, milliseconds))));
  } finally {
    clearTimeout(timer);
  }
}

/** Settles like the promise, or rejects with an Error after the timeout. Does not cancel the promise itself. */
export async function withTimeout<T>(
  milliseconds: number,
  promise: Promise<T>,
  createError = () => new Error(`took more than ${milliseconds} ms`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(createError());
    }, milliseconds);
  });
  promise.catch(() => {});
  return Promise.race([promise, timeout]).finally(() => {
    clearTimeout(timer);
  });
}
