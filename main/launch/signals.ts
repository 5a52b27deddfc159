/** Handles signals to the launcher: the first signal stops the service gracefully, the third kills it. */

export interface Signals extends Disposable {
  /** Aborts at the first signal: the service accepts no new jobs and exits when the running jobs have ended. */
  readonly stopSignal: AbortSignal;
  /** Aborts at a further signal: the service is killed immediately. The reason is the end of a sentence. */
  readonly killSignal: AbortSignal;
}

/** The next signal after this number kills the service. */
const maxSignals = 2;

/** Signals within this time count as one: npm forwards a signal that the whole process group has already received. */
const debounceMs = 100;

/** If this time has passed since the first signal, any further signal kills the service. */
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
