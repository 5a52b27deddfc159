/** Who works and who waits, account by account: whose turn is next, and who gives way when the queue is full (decision 21). */

export interface Lines<T> {
  readonly working: number;
  readonly waiting: number;
  readonly begin: (account: string) => void;
  readonly end: (account: string) => void;
  readonly add: (account: string, waiter: T) => void;
  readonly remove: (account: string, waiter: T) => void;
  /** Of the account with the fewest jobs working, and of several the one that was served longest ago: who came first. */
  readonly next: () => T | undefined;
  /** The account with the most jobs of those that have some waiting, if it has more than this one with one more. */
  readonly heavierThan: (account: string) => string | undefined;
  readonly newestOf: (account: string) => T | undefined;
  readonly all: () => readonly T[];
}

interface Line<T> {
  working: number;
  /** In the order they came. */
  readonly waiters: T[];
  /** Counts admissions; 0: never. */
  served: number;
}

export function openLines<T>(): Lines<T> {
  const lines = new Map<string, Line<T>>();
  let [working, waiting, admissions] = [0, 0, 0];
  const lineOf = (account: string): Line<T> => {
    const line = lines.get(account) ?? { working: 0, waiters: [], served: 0 };
    lines.set(account, line);
    return line;
  };
  return {
    get working() {
      return working;
    },
    get waiting() {
      return waiting;
    },
    begin(account) {
      const line = lineOf(account);
      line.served = admissions += 1;
      line.working += 1;
      working += 1;
    },
    end(account) {
      lineOf(account).working -= 1;
      working -= 1;
      // Who was served when is kept until nobody is here: an account that were forgotten would come first again and again.
      if (working + waiting === 0) lines.clear();
    },
    add(account, waiter) {
      lineOf(account).waiters.push(waiter);
      waiting += 1;
    },
    remove(account, waiter) {
      const { waiters } = lineOf(account);
      const place = waiters.indexOf(waiter);
      if (place < 0) return;
      waiters.splice(place, 1);
      waiting -= 1;
    },
    next: () => firstOf([...lines.values()].filter(hasWaiters))?.waiters[0],
    heavierThan(account) {
      const own = lines.get(account);
      const [name, heaviest] = heaviestOf([...lines].filter(([, line]) => hasWaiters(line))) ?? [];
      return weightOf(heaviest) > weightOf(own) + 1 ? name : undefined;
    },
    newestOf: (account) => lines.get(account)?.waiters.at(-1),
    all: () => [...lines.values()].flatMap(({ waiters }) => waiters),
  };
}

function hasWaiters({ waiters }: Line<unknown>): boolean {
  return waiters.length > 0;
}

function firstOf<T>(lines: readonly Line<T>[]): Line<T> | undefined {
  const isBefore = (one: Line<T>, other: Line<T>) =>
    one.working === other.working ? one.served < other.served : one.working < other.working;
  return lines.reduce<Line<T> | undefined>(
    (first, line) => (first === undefined || isBefore(line, first) ? line : first),
    undefined,
  );
}

type Named<T> = readonly [account: string, line: Line<T>];

function heaviestOf<T>(lines: readonly Named<T>[]): Named<T> | undefined {
  return lines.reduce<Named<T> | undefined>(
    (most, line) => (most === undefined || weightOf(line[1]) > weightOf(most[1]) ? line : most),
    undefined,
  );
}

/** All its jobs: who has windows and a place in the queue has more than who has the place only. */
function weightOf(line: Line<unknown> | undefined): number {
  return line === undefined ? 0 : line.working + line.waiters.length;
}
