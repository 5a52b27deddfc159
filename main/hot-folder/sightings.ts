/**
 * Tracks a folder's sources from scan to scan: which have been stable long enough to be read, and which are done.
 * Pure: callers pass the time.
 */

/** A source at the time of a scan. */
export interface SeenSource {
  readonly name: string;
  /** Signature of the source. */
  readonly signature: string;
  /** Changes with the source and with everything that must be stable with it. */
  readonly stabilityKey: string;
  readonly size: number;
  /** When it arrived or was last written; milliseconds since 1970. */
  readonly arrivedAt: number;
  /** It has a newer output. Only the first sighting counts; later on the tracker knows better. */
  readonly isConverted: boolean;
}

interface ReadySources {
  /** Sources that can be converted now, oldest first. */
  readonly ready: readonly SeenSource[];
  /** Milliseconds until the next source becomes ready if it does not change; undefined if none is pending. */
  readonly nextReadyMs: number | undefined;
}

interface SourceTracker {
  /** Records a scan. A source must not change for `settleMs`. */
  readonly update: (seen: readonly SeenSource[], now: number, settleMs: number) => ReadySources;
  /** This version is done. */
  readonly markHandled: (name: string, signature: string) => void;
  /** Does not retry this version before `due`. */
  readonly postpone: (name: string, signature: string, due: number) => void;
  /** How often this version was postponed in a row. */
  readonly postponements: (name: string) => number;
  /** Number of sources that are postponed beyond now. */
  readonly countPostponed: (now: number) => number;
}

interface Entry {
  readonly seen: SeenSource;
  /** Since when it has been stable. */
  readonly since: number;
  readonly isHandled: boolean;
  readonly notBefore: number;
  readonly postponements: number;
}

/** Programs often create an empty file first and take their time to fill it. */
const emptyFileSettleMs = 30_000;

export function openSourceTracker(): SourceTracker {
  let entries = new Map<string, Entry>();
  const change = (name: string, signature: string, changes: Partial<Entry>) => {
    const entry = entries.get(name);
    if (entry?.seen.signature === signature) entries.set(name, { ...entry, ...changes });
  };
  return {
    update(seen, now, settleMs) {
      entries = new Map(seen.map((one) => [one.name, entryOf(one, entries.get(one.name), now)]));
      const waits = [...entries.values()]
        .filter(({ isHandled }) => !isHandled)
        .map((entry) => ({ seen: entry.seen, wait: readyAt(entry, settleMs) - now }));
      const ready = waits.filter(({ wait }) => wait <= 0).map((one) => one.seen);
      const others = waits.map(({ wait }) => wait).filter((wait) => wait > 0);
      return {
        ready: ready.sort(
          (one, other) => one.arrivedAt - other.arrivedAt || (one.name < other.name ? -1 : 1),
        ),
        nextReadyMs: others.length === 0 ? undefined : others.reduce((least, wait) => Math.min(least, wait)),
      };
    },
    markHandled(name, signature) {
      change(name, signature, { isHandled: true });
    },
    postpone(name, signature, notBefore) {
      change(name, signature, { notBefore, postponements: (entries.get(name)?.postponements ?? 0) + 1 });
    },
    postponements: (name) => entries.get(name)?.postponements ?? 0,
    countPostponed: (now) =>
      [...entries.values()].filter(({ isHandled, notBefore }) => !isHandled && notBefore > now).length,
  };
}

function entryOf(seen: SeenSource, before: Entry | undefined, now: number): Entry {
  if (before?.seen.signature !== seen.signature)
    return {
      seen,
      since: now,
      isHandled: before === undefined && seen.isConverted,
      notBefore: 0,
      postponements: 0,
    };
  return { ...before, seen, since: before.seen.stabilityKey === seen.stabilityKey ? before.since : now };
}

function readyAt({ seen, since, notBefore }: Entry, settleMs: number): number {
  return Math.max(since + (seen.size === 0 ? Math.max(settleMs, emptyFileSettleMs) : settleMs), notBefore);
}
