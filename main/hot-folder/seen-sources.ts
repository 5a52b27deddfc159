/**
 * Tracks a folder's sources from scan to scan: which are stable long enough to be read, and which are finished.
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
  /** It has a newer output. Only used at the first scan that sees the source; later, the tracker knows whether it was converted. */
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
  /** Marks this version as finished. */
  readonly markHandled: (name: string, signature: string) => void;
  /** Does not retry this version before `due`. */
  readonly postpone: (name: string, signature: string, due: number) => void;
  /** How often this version was postponed in a row. */
  readonly countPostponements: (name: string) => number;
  /** Number of sources that are postponed beyond now. */
  readonly countPostponed: (now: number) => number;
}

interface FolderEntry {
  readonly seen: SeenSource;
  /** When it last changed. */
  readonly stableSince: number;
  readonly isHandled: boolean;
  readonly notBefore: number;
  readonly postponements: number;
}

/** Settle time of an empty file. Programs often create an empty file first and write its content later. */
const emptyFileSettleMs = 30_000;

export function openSourceTracker(): SourceTracker {
  let entries = new Map<string, FolderEntry>();
  const change = (name: string, signature: string, changes: Partial<FolderEntry>) => {
    const entry = entries.get(name);
    if (entry?.seen.signature === signature) entries.set(name, { ...entry, ...changes });
  };
  return {
    update(seen, now, settleMs) {
      entries = new Map(seen.map((entry) => [entry.name, entryOf(entry, entries.get(entry.name), now)]));
      const waits = [...entries.values()]
        .filter(({ isHandled }) => !isHandled)
        .map((entry) => ({ seen: entry.seen, wait: readyAt(entry, settleMs) - now }));
      const ready = waits.filter(({ wait }) => wait <= 0).map((entry) => entry.seen);
      const others = waits.map(({ wait }) => wait).filter((wait) => wait > 0);
      return {
        ready: ready.sort(
          (left, right) => left.arrivedAt - right.arrivedAt || (left.name < right.name ? -1 : 1),
        ),
        nextReadyMs:
          others.length === 0 ? undefined : others.reduce((earliest, wait) => Math.min(earliest, wait)),
      };
    },
    markHandled(name, signature) {
      change(name, signature, { isHandled: true });
    },
    postpone(name, signature, notBefore) {
      change(name, signature, { notBefore, postponements: (entries.get(name)?.postponements ?? 0) + 1 });
    },
    countPostponements: (name) => entries.get(name)?.postponements ?? 0,
    countPostponed: (now) =>
      [...entries.values()].filter(({ isHandled, notBefore }) => !isHandled && notBefore > now).length,
  };
}

function entryOf(seen: SeenSource, before: FolderEntry | undefined, now: number): FolderEntry {
  if (before?.seen.signature !== seen.signature)
    return {
      seen,
      stableSince: now,
      isHandled: before === undefined && seen.isConverted,
      notBefore: 0,
      postponements: 0,
    };
  return {
    ...before,
    seen,
    stableSince: before.seen.stabilityKey === seen.stabilityKey ? before.stableSince : now,
  };
}

function readyAt({ seen, stableSince, notBefore }: FolderEntry, settleMs: number): number {
  return Math.max(
    stableSince + (seen.size === 0 ? Math.max(settleMs, emptyFileSettleMs) : settleMs),
    notBefore,
  );
}
