/** Runs before a page's scripts, where a debug log is recorded: knows what they have planned for later. */

/** A timer that has not run yet. Milliseconds. */
export interface Planned {
  /** From now. */
  readonly due: number;
  /** After the page had loaded. */
  readonly delay: number;
  /** Who set it: address and line. */
  readonly from: string;
}

/**
 * Makes setTimeout keep a list, which `Symbol.for('platen.timers')` gives. What it uses is taken before the page's scripts
 * can put something else in its place.
 */
export function watchTimers(): void {
  const { setTimeout: set, clearTimeout: clear, Error, Math } = globalThis;
  const clock = performance.now.bind(performance);
  const entries = performance.getEntriesByType.bind(performance);
  const planned: { id: unknown; at: number; wait: number; error: Error }[] = [];
  const most = 1000;
  const own: typeof setTimeout = function (this: unknown, ...parameters: unknown[]) {
    const id: unknown = Reflect.apply(set, globalThis, parameters);
    const wait = Number(parameters[1]);
    if (wait >= 10) {
      if (planned.length >= most) forget();
      planned.push({ id, at: clock() + wait, wait, error: new Error() });
    }
    return id;
  } as never;
  /** Those that have run; then the oldest. */
  const forget = () => {
    const now = clock();
    const pending = planned.filter(({ at }) => at > now);
    planned.splice(0, planned.length, ...pending.slice(pending.length >= most ? 1 : 0));
  };
  const ownClear: typeof clearTimeout = function (id) {
    const index = planned.findIndex((timer) => timer.id === id);
    if (index >= 0) planned.splice(index, 1);
    clear(id);
  };
  globalThis.setTimeout = Object.defineProperty(own, 'name', { value: 'setTimeout' });
  globalThis.clearTimeout = Object.defineProperty(ownClear, 'name', { value: 'clearTimeout' });
  const ask = (): Planned[] => {
    const now = clock();
    const [entry] = entries('navigation') as PerformanceNavigationTiming[];
    const loaded = entry?.loadEventEnd ?? 0;
    return planned
      .filter(({ at }) => at > now)
      .sort((one, other) => one.at - other.at)
      .map(({ at, error }) => ({
        due: Math.round(at - now),
        delay: Math.ceil((at - loaded) / 100) * 100,
        from: placeIn(error.stack),
      }));
  };
  /** The innermost call that is not this one. */
  const placeIn = (stack: unknown): string => {
    const line = typeof stack === 'string' ? stack.split('\n')[2] : undefined;
    return / ([^ (]+:\d+):\d+\)?$/.exec(line ?? '')?.[1] ?? 'a script';
  };
  Object.defineProperty(globalThis, Symbol.for('platen.timers'), { value: ask });
}
