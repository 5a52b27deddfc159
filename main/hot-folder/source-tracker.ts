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

export class SourceTracker {
  /** By name: the sources of the last scan. */
  #entries = new Map<string, FolderEntry>();

  /** Records the result of a scan and returns the ready sources. A source is ready after `settleMs` without changes. */
  update(seen: readonly ScannedSource[], now: number, settleMs: number): ReadySources {
    this.#entries = new Map(
      seen.map((source) => [source.name, entryOf(source, this.#entries.get(source.name), now)]),
    );
    const waits = [...this.#entries.values()]
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
  }

  /** Marks this version of the source as finished. */
  markHandled(name: string, signature: string): void {
    this.#change(name, signature, { isHandled: true });
  }

  /** Postpones this version of the source until `due`. */
  postpone(name: string, signature: string, due: number): void {
    this.#change(name, signature, { notBefore: due, postponements: this.countPostponements(name) + 1 });
  }

  /** Returns how often this version of the source has been postponed in a row. */
  countPostponements(name: string): number {
    return this.#entries.get(name)?.postponements ?? 0;
  }

  /** Returns the number of sources that are postponed to a time after `now`. */
  countPostponed(now: number): number {
    return [...this.#entries.values()].filter(({ isHandled, notBefore }) => !isHandled && notBefore > now)
      .length;
  }

  #change(name: string, signature: string, changes: Partial<FolderEntry>): void {
    const entry = this.#entries.get(name);
    if (entry?.seen.signature === signature) this.#entries.set(name, { ...entry, ...changes });
  }
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
