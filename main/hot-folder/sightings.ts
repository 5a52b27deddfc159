/**
 * What was seen of a folder's sources, from look to look: which have stood still long enough to be read, and which have been
 * dealt with. Pure: it is told the time.
 */

/** A source as it looks just now. */
export interface Seen {
  readonly name: string;
  /** Of the source itself. */
  readonly signature: string;
  /** Of the source and all that must stand still with it. */
  readonly still: string;
  readonly size: number;
  /** When it came or was last written to, milliseconds since 1970. */
  readonly arrived: number;
  /** It has an output that is newer. It counts at first sight: later ones know better. */
  readonly done: boolean;
}

export interface Looked {
  /** Those that may be converted now, the oldest first. */
  readonly ready: readonly Seen[];
  /** Milliseconds until another will be, if it stays as it is; undefined when none is under way. */
  readonly next: number | undefined;
}

export interface Sightings {
  /** `settle`: milliseconds for which a source must not change. */
  readonly look: (seen: readonly Seen[], now: number, settle: number) => Looked;
  /** Nothing is to be done with this version any more. */
  readonly hold: (name: string, signature: string) => void;
  /** This version is not to be tried before `due`. */
  readonly later: (name: string, signature: string, due: number) => void;
  /** Times in a row that this version was put off. */
  readonly delays: (name: string) => number;
  /** How many were put off until later than now. */
  readonly putOff: (now: number) => number;
}

interface Entry {
  readonly seen: Seen;
  /** Since when it looks like this. */
  readonly since: number;
  readonly held: boolean;
  readonly due: number;
  readonly delays: number;
}

/** Milliseconds; programs make an empty file first, and some take their time to fill it. */
const patienceForEmpty = 30_000;

export function openSightings(): Sightings {
  let entries = new Map<string, Entry>();
  const change = (name: string, signature: string, changes: Partial<Entry>) => {
    const entry = entries.get(name);
    if (entry?.seen.signature === signature) entries.set(name, { ...entry, ...changes });
  };
  return {
    look(seen, now, settle) {
      entries = new Map(seen.map((one) => [one.name, entryOf(one, entries.get(one.name), now)]));
      const waits = [...entries.values()]
        .filter(({ held }) => !held)
        .map((entry) => ({ seen: entry.seen, wait: readyAt(entry, settle) - now }));
      const ready = waits.filter(({ wait }) => wait <= 0).map((one) => one.seen);
      const others = waits.map(({ wait }) => wait).filter((wait) => wait > 0);
      return {
        ready: ready.sort((one, other) => one.arrived - other.arrived || (one.name < other.name ? -1 : 1)),
        next: others.length === 0 ? undefined : others.reduce((least, wait) => Math.min(least, wait)),
      };
    },
    hold(name, signature) {
      change(name, signature, { held: true });
    },
    later(name, signature, due) {
      change(name, signature, { due, delays: (entries.get(name)?.delays ?? 0) + 1 });
    },
    delays: (name) => entries.get(name)?.delays ?? 0,
    putOff: (now) => [...entries.values()].filter(({ held, due }) => !held && due > now).length,
  };
}

function entryOf(seen: Seen, before: Entry | undefined, now: number): Entry {
  if (before?.seen.signature !== seen.signature)
    return { seen, since: now, held: before === undefined && seen.done, due: 0, delays: 0 };
  return { ...before, seen, since: before.seen.still === seen.still ? before.since : now };
}

function readyAt({ seen, since, due }: Entry, settle: number): number {
  return Math.max(since + (seen.size === 0 ? Math.max(settle, patienceForEmpty) : settle), due);
}
