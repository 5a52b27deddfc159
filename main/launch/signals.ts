/** What signals to the launcher ask for: the first to stop, one too many to end at once. */

export interface Signals extends Disposable {
  /** Aborted by the first signal: no new jobs, and an end when the running ones are done. */
  readonly stop: AbortSignal;
  /** Aborted, with a sentence's end as its reason, by one signal too many: an end at once. */
  readonly kill: AbortSignal;
}

/** One signal more than this ends the service at once. */
const patienceInSignals = 2;

/** Milliseconds within which signals are one: npm passes on what the whole group, we included, has already got. */
const echo = 100;

/** Milliseconds after which any further signal ends it. */
const patience = 30_000;

const names: readonly NodeJS.Signals[] = [
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  // Ctrl-Break; elsewhere Node knows no such signal.
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
];

export function catchSignals(): Signals {
  const [stop, kill] = [new AbortController(), new AbortController()];
  let count = 0;
  let first = 0;
  let last = -Infinity;
  const onSignal = (name: string) => {
    const now = performance.now();
    if (now - last < echo) return;
    last = now;
    first ||= now;
    count += 1;
    if (count > patienceInSignals || now - first > patience) kill.abort(`it was to end at once (${name})`);
    else stop.abort();
  };
  for (const name of names) process.on(name, onSignal);
  return {
    stop: stop.signal,
    kill: kill.signal,
    [Symbol.dispose]() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
