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

interface Timer {
  /** By the page's clock. */
  readonly at: number;
  /** Made where it was set. */
  readonly error: Error;
}

interface Timers {
  readonly add: (id: unknown, timer: Timer) => void;
  readonly remove: (id: unknown) => void;
  readonly all: () => Timer[];
}

/**
 * The list of timers. What it uses is taken before the page's scripts can put something else in its place; an array has
 * methods that they can spoil at any time.
 */
export function listTimers(): Timers {
  const clock = performance.now.bind(performance);
  const planned = new Map<unknown, Timer>();
  const put = planned.set.bind(planned);
  const drop = planned.delete.bind(planned);
  const each = planned.forEach.bind(planned);
  const most = 1000;
  let count = 0;
  const remove = (id: unknown) => {
    if (drop(id)) count -= 1;
  };
  /** Those that have run; then the oldest. */
  const forget = () => {
    const now = clock();
    let oldest: unknown;
    each(({ at }, id) => {
      if (at <= now) remove(id);
      else oldest ??= id;
    });
    if (count >= most) remove(oldest);
  };
  const add = (id: unknown, timer: Timer) => {
    if (count >= most) forget();
    count += 1;
    put(id, timer);
  };
  return { add, remove, all: () => [...planned.values()] };
}

/** Makes setTimeout keep the list, which `Symbol.for('platen.timers')` gives. */
export function watchTimers(timers: Timers): void {
  // Chromium runs this again in a document whose DevTools session was begun anew.
  if (Symbol.for('platen.timers') in globalThis) return;
  const { setTimeout: set, clearTimeout: clear, Error, Math, Number } = globalThis;
  const { apply } = Reflect;
  const clock = performance.now.bind(performance);
  const entries = performance.getEntriesByType.bind(performance);
  const own: typeof setTimeout = function (this: unknown, ...parameters: unknown[]) {
    const id: unknown = apply(set, globalThis, parameters);
    const wait = Number(parameters[1]);
    if (wait >= 10) timers.add(id, { at: clock() + wait, error: new Error() });
    return id;
  } as never;
  const ownClear: typeof clearTimeout = function (id) {
    timers.remove(id);
    clear(id);
  };
  globalThis.setTimeout = Object.defineProperty(own, 'name', { value: 'setTimeout' });
  globalThis.clearTimeout = Object.defineProperty(ownClear, 'name', { value: 'clearTimeout' });
  const ask = (): Planned[] => {
    const now = clock();
    const [entry] = entries('navigation') as PerformanceNavigationTiming[];
    const loaded = entry?.loadEventEnd ?? 0;
    return timers
      .all()
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
    return /[ (]([^ (]+:\d+):\d+\)?$/.exec(line ?? '')?.[1] ?? 'a script';
  };
  Object.defineProperty(globalThis, Symbol.for('platen.timers'), { value: ask });
}
