/** The windows and their seats: idle ones of each kind, new ones when none is idle, cleaned or replaced when they come back. */
import type { ServiceLog } from '../log/service-log.ts';
import { recycle } from './recycle.ts';
import { noMemory, replacementReason, type ReplacementReason } from './replacement.ts';
import { openSeats, type NetworkOptions, type Seats } from './seats.ts';
import { destroyWindow, openWindow, windowKinds, type EngineWindow, type WindowKind } from './window.ts';
import { within } from './within.ts';

export interface FleetOptions {
  /** Jobs after which a window is replaced. */
  readonly windowJobs: number;
  readonly network: NetworkOptions;
  readonly log: ServiceLog;
  /** Called for each window that is not used again. */
  readonly onReplaced?: (why: ReplacementReason) => void;
}

/** Windows of one kind: those that wait for a job, and those that have one or are cleaned after it. */
export interface WindowCount {
  readonly idle: number;
  readonly working: number;
}

export interface Fleet extends AsyncDisposable {
  readonly take: (kind: WindowKind) => Promise<EngineWindow>;
  /** Cleans it for the next job, or ends it. Never rejects. */
  readonly giveBack: (window: EngineWindow) => Promise<void>;
  /** Idle windows of the kind, without one all, are not used again. */
  readonly distrust: (why: string, kind?: WindowKind) => void;
  /** Closes idle windows. Never rejects. */
  readonly shrink: () => Promise<void>;
  readonly windows: Readonly<Record<WindowKind, WindowCount>>;
}

/** Longer than any cleaning takes; a window that is not clean by then is stuck. */
const cleaningPatience = 5000;

interface Hangar {
  readonly idle: Record<WindowKind, EngineWindow[]>;
  readonly lent: Record<WindowKind, Set<EngineWindow>>;
  readonly seats: Seats;
  readonly options: FleetOptions;
}

/** Opens with one window of each kind in wait. */
export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const hangar: Hangar = {
    idle: { still: [], live: [] },
    lent: { still: new Set(), live: new Set() },
    seats: openSeats(options),
    options,
  };
  const { idle, lent } = hangar;
  for (const kind of windowKinds) idle[kind].push(await openOn(hangar.seats, kind));
  return {
    async take(kind) {
      const window = await sound(hangar, kind);
      lent[kind].add(window);
      return window;
    },
    giveBack: (window) => giveBack(hangar, window),
    distrust(why, only) {
      for (const kind of only === undefined ? windowKinds : [only])
        for (const window of idle[kind]) window.broken ??= why;
    },
    async shrink() {
      const windows = takeAll(hangar);
      for (const window of windows) window.broken ??= noMemory;
      await Promise.allSettled(windows.map((window) => retire(hangar, window)));
    },
    get windows() {
      return { still: countOf(hangar, 'still'), live: countOf(hangar, 'live') };
    },
    async [Symbol.asyncDispose]() {
      const windows = takeAll(hangar);
      await Promise.all(windows.map(destroyWindow));
      await hangar.seats.dispose(windows.map(({ seat }) => seat));
    },
  };
}

function takeAll({ idle }: Hangar): readonly EngineWindow[] {
  return windowKinds.flatMap((kind) => idle[kind].splice(0));
}

function countOf({ idle, lent }: Hangar, kind: WindowKind): WindowCount {
  return { idle: idle[kind].length, working: lent[kind].size };
}

async function sound(hangar: Hangar, kind: WindowKind): Promise<EngineWindow> {
  const idle = hangar.idle[kind];
  for (let window = idle.pop(); window !== undefined; window = idle.pop()) {
    if (window.broken === undefined) return window;
    // Its renderer was lost while it waited, or it is not trusted any more.
    await retire(hangar, window);
  }
  return openOn(hangar.seats, kind);
}

async function giveBack({ idle, lent, ...rest }: Hangar, window: EngineWindow): Promise<void> {
  const { options } = rest;
  try {
    if (await isFitForMore(window, options)) {
      window.seat.journal.log = options.log;
      idle[window.kind].push(window);
    } else await retire(rest, window);
  } finally {
    lent[window.kind].delete(window);
  }
}

async function retire(
  { options, seats }: Pick<Hangar, 'options' | 'seats'>,
  window: EngineWindow,
): Promise<void> {
  tellReplacement(window, options);
  await destroyWindow(window);
  await seats.giveBack(window.seat);
}

/** Opened once more where its renderer was lost at once. */
async function openOn(seats: Seats, kind: WindowKind): Promise<EngineWindow> {
  return await tryOn(seats, kind).catch(() => tryOn(seats, kind));
}

async function tryOn(seats: Seats, kind: WindowKind): Promise<EngineWindow> {
  const seat = await seats.take();
  try {
    return await openWindow(kind, seat);
  } catch (problem) {
    await seats.giveBack(seat);
    throw problem;
  }
}

async function isFitForMore(window: EngineWindow, { windowJobs }: FleetOptions): Promise<boolean> {
  if (window.broken === undefined && window.jobs < windowJobs) {
    try {
      await within(cleaningPatience, recycle(window));
    } catch (problem) {
      window.broken = `not cleaned: ${String(problem)}`;
    }
  }
  return window.broken === undefined && window.jobs < windowJobs;
}

function tellReplacement({ broken, jobs, seat }: EngineWindow, { onReplaced }: FleetOptions): void {
  onReplaced?.(replacementReason(broken));
  if (broken === undefined) seat.journal.log.debug({ jobs }, 'a window has done its share and is replaced');
  else seat.journal.log.info({ why: broken }, 'a window is replaced');
}
