/** Handles signals to the launcher: the first stops the service gracefully, the third kills it. */

export interface Signals extends Disposable {
  /** Aborts at the first signal: no new jobs; exit when the running ones are done. */
  readonly stopSignal: AbortSignal;
  /** Aborts at a further signal: kill the service immediately. The reason is the end of a sentence. */
  readonly killSignal: AbortSignal;
}

/** One more signal kills the service. */
const maxSignals = 2;

/** Signals within this time count as one: npm forwards a signal that the whole process group already received. */
const debounceMs = 100;

/** After this time any further signal kills the service. */
const gracePeriodMs = 30_000;

const signalNames: readonly NodeJS.Signals[] = [
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  // Ctrl-Break; Node has no such signal on other platforms.
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
];

export function catchSignals(): Signals {
  const stop = new AbortController();
  const kill = new AbortController();
  let count = 0;
  let firstSignalMs = 0;
  let lastSignalMs = -Infinity;
  const onSignal = (name: string) => {
    const now = performance.now();
    if (now - lastSignalMs < debounceMs) return;
    lastSignalMs = now;
    firstSignalMs ||= now;
    count += 1;
    if (count > maxSignals || now - firstSignalMs > gracePeriodMs)
      kill.abort(`it was killed by a further signal (${name})`);
    else stop.abort();
  };
  for (const name of signalNames) process.on(name, onSignal);
  return {
    stopSignal: stop.signal,
    killSignal: kill.signal,
    [Symbol.dispose]() {
      for (const name of signalNames) process.off(name, onSignal);
    },
  };
}
