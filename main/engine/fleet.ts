/** The windows and their seats: idle ones of each kind, new ones when none is idle, cleaned or replaced when they come back. */
import type { ServiceLog } from '../log/service-log.ts';
import { openBackPressure } from './back-pressure.ts';
import { changeSite } from './change-site.ts';
import { conventions } from './conventions.ts';
import { recycle } from './recycle.ts';
import { noMemory, replacementReason, type ReplacementReason } from './replacement.ts';
import { openSeats, type NetworkOptions, type Seats } from './seats.ts';
import { destroyWindow, openWindow, windowKinds, type EngineWindow, type WindowKind } from './window.ts';
import { within } from './within.ts';

export interface FleetOptions {
  /** Windows of a kind that are kept for the next jobs. */
  readonly workers: number;
  /** Prefixes of the markup conventions. */
  readonly prefixes: readonly string[];
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

export type Suits = (window: EngineWindow) => boolean;

export interface Wanted {
  readonly kind: WindowKind;
  readonly suits: Suits;
  /** Whose page it is to show (change-site.ts). */
  readonly site: string;
}

export interface Fleet extends AsyncDisposable {
  /** One that suits best, if there are several. */
  readonly take: (wanted: Wanted) => Promise<EngineWindow>;
  /** Cleans it for the next job, or ends it. Never rejects. */
  readonly giveBack: (window: EngineWindow) => Promise<void>;
  /** All windows there are of the kind, without one of both, are not used again; those that have a job may end it. */
  readonly distrust: (why: string, kind?: WindowKind) => void;
  /** Closes idle windows. Never rejects. */
  readonly shrink: () => Promise<void>;
  readonly windows: Readonly<Record<WindowKind, WindowCount>>;
}

/** Milliseconds that a window more than `workers` waits: callers come in waves, and opening one takes as long as a job. */
const sparePatience = 10_000;

/** Longer than any cleaning takes; a window that is not clean by then is stuck. */
const cleaningPatience = 5000;

/** Windows opened between one loss of trust and the next. */
interface Generation {
  /** Why they are not used again. */
  distrusted: string | undefined;
}

interface Hangar {
  readonly idle: Record<WindowKind, EngineWindow[]>;
  readonly lent: Record<WindowKind, Set<EngineWindow>>;
  /** Opened ahead of its first job, until there is one or it waits. */
  readonly ahead: Record<WindowKind, Promise<EngineWindow> | undefined>;
  /** That of the windows opened now. */
  readonly newest: Record<WindowKind, Generation>;
  readonly generations: WeakMap<EngineWindow, Generation>;
  /** Until windows that wait and are more than `workers` are closed; undefined while there are none. */
  spare: NodeJS.Timeout | undefined;
  /** Those that are being closed. */
  closing: Promise<unknown>;
  readonly seats: Seats;
  readonly options: FleetOptions;
}

/** Opens with one window in wait, and opens one of the other kind meanwhile. */
export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const hangar = openHangar(options);
  const { idle, lent } = hangar;
  idle.still.push(await openOn(hangar, 'still'));
  openAhead(hangar, 'live');
  const pressure = openBackPressure({
    processes: () => [...lent.still, ...lent.live].map(processOf),
    onLost(err) {
      options.log.error({ err }, 'pages that flood the service are not held back any more');
    },
  });
  return {
    async take(wanted) {
      const window = await sound(hangar, wanted);
      lent[wanted.kind].add(window);
      if (lent[wanted.kind].size > options.workers) hangar.spare?.refresh();
      pressure.update();
      return window;
    },
    async giveBack(window) {
      await giveBack(hangar, window);
      pressure.update();
    },
    distrust(why, only) {
      for (const kind of only === undefined ? windowKinds : [only]) {
        hangar.newest[kind].distrusted = why;
        hangar.newest[kind] = { distrusted: undefined };
      }
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
      await pressure[Symbol.asyncDispose]();
      clearTimeout(hangar.spare);
      await hangar.closing;
      await hangar.ahead.live?.catch(() => {});
      const windows = takeAll(hangar);
      await Promise.all(windows.map(destroyWindow));
      await hangar.seats.dispose(windows.map(({ seat }) => seat));
    },
  };
}

function openHangar(options: FleetOptions): Hangar {
  return {
    idle: { still: [], live: [] },
    lent: { still: new Set(), live: new Set() },
    ahead: { still: undefined, live: undefined },
    newest: { still: { distrusted: undefined }, live: { distrusted: undefined } },
    generations: new WeakMap(),
    ...{ spare: undefined, closing: Promise.resolve() },
    seats: openSeats(options),
    options,
  };
}

/** Of those that wait the ones that have waited longest. */
function closeSpare(hangar: Hangar): void {
  const { idle, options } = hangar;
  hangar.spare = undefined;
  const spare = windowKinds.flatMap((kind) => idle[kind].splice(0, idle[kind].length - options.workers));
  hangar.closing = Promise.allSettled(
    spare.map((window) => (isTrusted(hangar, window) ? close(hangar, window) : retire(hangar, window))),
  );
}

/** 0 while it is lost. */
function processOf({ contents }: EngineWindow): number {
  return contents.isDestroyed() ? 0 : contents.getOSProcessId();
}

function takeAll({ idle }: Hangar): readonly EngineWindow[] {
  return windowKinds.flatMap((kind) => idle[kind].splice(0));
}

function countOf({ idle, lent }: Hangar, kind: WindowKind): WindowCount {
  return { idle: idle[kind].length, working: lent[kind].size };
}

async function sound(hangar: Hangar, { kind, suits, site }: Wanted): Promise<EngineWindow> {
  const idle = hangar.idle[kind];
  for (let window = chosen(idle, suits); window !== undefined; window = chosen(idle, suits)) {
    if (isTrusted(hangar, window)) await changeSite(window, site);
    if (isTrusted(hangar, window)) return window;
    // Its renderer was lost while it waited, or it is of a generation that is not used again.
    await retire(hangar, window);
  }
  const { ahead } = hangar;
  const opening = ahead[kind];
  // That it could not be opened then says nothing about now.
  ahead[kind] = undefined;
  const window = (await opening?.catch(() => undefined)) ?? (await openOn(hangar, kind));
  await changeSite(window, site);
  return window;
}

/** Never rejects: a job that finds none opens its own. */
function openAhead(hangar: Hangar, kind: WindowKind): void {
  const { ahead, idle } = hangar;
  const opening = openOn(hangar, kind);
  ahead[kind] = opening;
  const settle = (window?: EngineWindow) => {
    if (ahead[kind] !== opening) return;
    ahead[kind] = undefined;
    if (window !== undefined) idle[kind].push(window);
  };
  opening.then(settle, () => {
    settle();
  });
}

/** Out of those that wait, the last one that suits, or else the last one. */
function chosen(idle: EngineWindow[], suits: Suits): EngineWindow | undefined {
  const index = idle.findLastIndex(suits);
  return idle.splice(index === -1 ? idle.length - 1 : index, 1)[0];
}

function isTrusted({ generations }: Pick<Hangar, 'generations'>, window: EngineWindow): boolean {
  window.broken ??= generations.get(window)?.distrusted;
  return window.broken === undefined;
}

async function giveBack(hangar: Hangar, window: EngineWindow): Promise<void> {
  const { idle, lent, options } = hangar;
  try {
    if (!(await isFitForMore(hangar, window))) await retire(hangar, window);
    else {
      window.seat.journal.log = options.log;
      idle[window.kind].push(window);
      if (idle[window.kind].length > options.workers)
        hangar.spare ??= setTimeout(closeSpare, sparePatience, hangar).unref();
    }
  } finally {
    lent[window.kind].delete(window);
  }
}

async function retire(hangar: Hangar, window: EngineWindow): Promise<void> {
  tellReplacement(window, hangar.options);
  await close(hangar, window);
}

async function close({ seats }: Hangar, window: EngineWindow): Promise<void> {
  await destroyWindow(window);
  await seats.giveBack(window.seat);
}

/** Opened once more where its renderer was lost at once. */
async function openOn(hangar: Hangar, kind: WindowKind): Promise<EngineWindow> {
  return await tryOn(hangar, kind).catch(() => tryOn(hangar, kind));
}

async function tryOn(
  { seats, newest, generations, options }: Hangar,
  kind: WindowKind,
): Promise<EngineWindow> {
  const generation = newest[kind];
  const seat = await seats.take();
  try {
    const window = await openWindow(kind, seat, conventions(options.prefixes));
    generations.set(window, generation);
    return window;
  } catch (problem) {
    await seats.giveBack(seat);
    throw problem;
  }
}

async function isFitForMore(hangar: Hangar, window: EngineWindow): Promise<boolean> {
  const hasShare = window.jobs < hangar.options.windowJobs;
  if (!hasShare || !isTrusted(hangar, window)) return false;
  try {
    await within(cleaningPatience, recycle(window));
  } catch (problem) {
    window.broken = `not cleaned: ${String(problem)}`;
  }
  // It may have been lost, or its trust, while it was cleaned.
  return isTrusted(hangar, window);
}

function tellReplacement({ broken, jobs, seat }: EngineWindow, { onReplaced }: FleetOptions): void {
  onReplaced?.(replacementReason(broken));
  if (broken === undefined) seat.journal.log.debug({ jobs }, 'a window has done its share and is replaced');
  else seat.journal.log.info({ why: broken }, 'a window is replaced');
}
