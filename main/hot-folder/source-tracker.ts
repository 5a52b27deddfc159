/**
 * Tracks a folder's sources from scan to scan: which are stable long enough to be read, and which are finished. Callers pass the
 * time; the tracker does not read the clock.
 */

/** A source at the time of a scan. */
export interface ScannedSource {
  readonly name: string;
  /** Signature of the file, which changes when the file is written. */
  readonly signature: string;
  /** Changes with the signature, and with everything else that must be unchanged before the source is read. */
  readonly stabilityKey: string;
  readonly size: number;
  /** When the source arrived or was last written, in milliseconds since 1970. */
  readonly arrivedAt: number;
  /**
   * Whether the source has a newer output. Used only at the first scan that finds the source; after that, `markHandled` decides.
   */
  readonly isConverted: boolean;
}

interface ReadySources {
  /** Sources that can be converted now, oldest first. */
  readonly ready: readonly ScannedSource[];
  /** Milliseconds until the next source becomes ready if it does not change; undefined if no source is waiting. */
  readonly nextReadyMs: number | undefined;
}

interface SourceTracker {
  /** Records the result of a scan and returns the ready sources. A source is ready after `settleMs` without changes. */
  readonly update: (seen: readonly ScannedSource[], now: number, settleMs: number) => ReadySources;
  /** Marks this version of the source as finished. */
  readonly markHandled: (name: string, signature: string) => void;
  /** Postpones this version of the source until `due`. */
  readonly postpone: (name: string, signature: string, due: number) => void;
  /** Returns how often this version of the source has been postponed in a row. */
  readonly countPostponements: (name: string) => number;
  /** Returns the number of sources that are postponed to a time after `now`. */
  readonly countPostponed: (now: number) => number;
}

interface FolderEntry {
  readonly seen: ScannedSource;
  /** The `now` of the scan that first found the current stability key. */
  readonly stableSince: number;
  readonly isHandled: boolean;
  readonly notBefore: number;
  readonly postponements: number;
}

/** Minimum settle time of an empty file. Programs often create an empty file first and write its content later. */
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

function entryOf(seen: ScannedSource, before: FolderEntry | undefined, now: number): FolderEntry {
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
