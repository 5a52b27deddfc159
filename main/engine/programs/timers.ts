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

/** Makes setTimeout keep a list, which `Symbol.for('platen.timers')` gives; nothing else about it changes. */
export function watchTimers(): void {
  const { setTimeout: set, clearTimeout: clear, performance, Error, Math } = globalThis;
  const planned: { id: unknown; at: number; wait: number; error: Error }[] = [];
  const most = 1000;
  const own: typeof setTimeout = function (this: unknown, ...parameters: unknown[]) {
    const id: unknown = Reflect.apply(set, globalThis, parameters);
    const wait = Number(parameters[1]);
    if (wait >= 10) {
      if (planned.length >= most) planned.shift();
      planned.push({ id, at: performance.now() + wait, wait, error: new Error() });
    }
    return id;
  } as never;
  const ownClear: typeof clearTimeout = function (id) {
    const index = planned.findIndex((timer) => timer.id === id);
    if (index >= 0) planned.splice(index, 1);
    clear(id);
  };
  globalThis.setTimeout = own;
  globalThis.clearTimeout = ownClear;
  const ask = (): Planned[] => {
    const now = performance.now();
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const loaded = entry?.loadEventEnd ?? 0;
    return planned
      .filter(({ at }) => at > now)
      .sort((one, other) => one.at - other.at)
      .map(({ at, error }) => ({
        due: Math.round(at - now),
        delay: Math.ceil((at - loaded) / 100) * 100,
        from: placeIn(error.stack ?? ''),
      }));
  };
  /** The innermost call that is not this one. */
  const placeIn = (stack: string) =>
    / ([^ (]+:\d+):\d+\)?$/.exec(stack.split('\n')[2] ?? '')?.[1] ?? 'a script';
  Object.defineProperty(globalThis, Symbol.for('platen.timers'), { value: ask });
}
