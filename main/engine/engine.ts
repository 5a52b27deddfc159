/**
 * The engine: windows lent to jobs one at a time, within two limits, cleaned between jobs, and replaced, never repaired,
 * when they crashed, timed out or have done their share. It knows no option but those that choose a kind of window.
 */
import { Failure, noRoom } from '../failure/failure.ts';
import { hasNoRoom } from '../failure/no-room.ts';
import type { Source } from '../input/source.ts';
import { isImage, type Job } from '../job/job.ts';
import { aboutJob } from '../log/service-log.ts';
import type { Run } from '../run.ts';
import { unlessAborted } from '../signals.ts';
import { openFleet, type Fleet, type FleetOptions, type Suits, type Wanted } from './fleet.ts';
import { accessFor, type Access } from './access.ts';
import { BrowserFault } from './browser-fault.ts';
import { siteOf } from './change-site.ts';
import { beginLease } from './lease.ts';
import { comeIn, openDoor, type Door, type DoorOptions } from './door.ts';
import { openCrowd, type Crowd } from './crowd.ts';
import { openDoubts, type Doubts } from './doubts.ts';
import { endRenderer } from './end-renderer.ts';
import { openMemoryWatch, type WatchMemory } from './memory-watch.ts';
import { Pool, type Place, type PoolState } from './pool.ts';
import { endSharedProcesses, openProcessWatch, type ProcessWatch } from './process-loss.ts';
import { distrusted } from './replacement.ts';
import { withRetries } from './retries.ts';
import type { EngineWindow, WindowKind } from './window.ts';
import { isOpen, textToWrite } from './written.ts';

export interface EngineOptions extends DoorOptions, FleetOptions {
  /** The job limit in milliseconds, from the moment a window takes the job. */
  readonly jobTimeout: number;
  /** Bytes a page may have in memory. */
  readonly pageMemory: number;
  /** Called when something looked wrong that may be wrong with windows, with what it was. */
  readonly onDoubt?: (why: string) => void;
}

/** A Run while it has a window: its signal holds the job limit too. */
export interface WindowRun extends Run {
  /** Milliseconds. */
  readonly limit: number;
  readonly prefixes: readonly string[];
  /** Whether jobs come one at a time just now, so that time taken is nobody else's. */
  readonly alone: () => boolean;
  /** To be called before a wait in which nothing is computed: another job may begin, and the rest of this one is done beside `workers`. */
  readonly stepAside: () => void;
}

type Use<T> = (window: EngineWindow, run: WindowRun) => Promise<T>;

export interface Engine extends AsyncDisposable {
  /** Lends a window for one job. @throws what `use` throws; Failure unavailable, timedOut, rendererCrashed, tooComplex */
  readonly withWindow: <T>(run: Run, source: Source, use: Use<T>) => Promise<T>;
  /** Why a job of this account that came now would be refused at once, or undefined. */
  readonly refusalOf: (account: string) => Failure | undefined;
  readonly state: PoolState & {
    readonly full: boolean;
    /** The machine is short of memory, so jobs wait. */
    readonly short: boolean;
    readonly windows: Fleet['windows'];
  };
  /** The windows there are now are replaced by new ones, those with a job after it; the processes they share, at once. */
  readonly distrust: () => void;
  /** No more jobs; those that wait are refused. */
  readonly close: () => void;
}

/** Opens the engine; it can take a job when this resolves. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const doubts = openDoubts(options.onDoubt);
  const fleet = await openFleet(withDoubts(options, doubts));
  const pool = new Pool(options);
  const house = { options, fleet, door: openDoor(pool, fleet.shrink, options) };
  const processes = watchProcesses(fleet, doubts);
  const crowd = openCrowd();
  const lending = { ...house, processes, crowd, watchMemory: openMemoryWatch(options.pageMemory) };
  const [cleaning, aside] = [new Set<Promise<void>>(), new Set<EngineWindow>()];
  return {
    async withWindow(run, source, use) {
      using _here = crowd.enter();
      const kind = kindFor(run.job, source);
      const site = siteOf(source);
      const writes = textToWrite({ ...run, prefixes: options.prefixes }, source) !== undefined;
      const suits: Suits = (window) => (kind === 'still' ? isOpen(window) === writes : window.site === site);
      const wanted = { run, kind, suits, site, access: await accessFor(run.job), home: homeOf(source) };
      const job = withRetries(run, () => attempt({ ...lending, cleaning, aside }, wanted, use));
      return await doubts.observe(run.signal, job);
    },
    refusalOf: (account) => pool.refusalOf(account),
    get state() {
      const short = house.door.admission.isShort();
      const { working, waiting } = pool.state;
      return { working: working + aside.size, waiting, full: pool.full, short, windows: fleet.windows };
    },
    distrust() {
      fleet.distrust(distrusted);
      endSharedProcesses();
    },
    close() {
      pool.close();
    },
    async [Symbol.asyncDispose]() {
      pool.close();
      await Promise.all(cleaning);
      processes[Symbol.dispose]();
      await fleet[Symbol.asyncDispose]();
    },
  };
}

function withDoubts(options: EngineOptions, doubts: Doubts): FleetOptions {
  return {
    ...options,
    onReplaced(why) {
      doubts.replaced(why);
      options.onReplaced?.(why);
    },
  };
}

/** What a shared process held for windows is gone with it, so they are not used again. */
function watchProcesses(fleet: Fleet, doubts: Doubts): ProcessWatch {
  return openProcessWatch((loss) => {
    doubts.lost(loss);
    fleet.distrust(loss.message, loss.process === 'graphics' ? 'live' : undefined);
  });
}

/** One use of a window. */
async function attempt<T>(house: House, { kind, suits, site, ...wanted }: Attempt, use: Use<T>): Promise<T> {
  const { fleet, door, options, crowd, watchMemory, processes } = house;
  const { run } = wanted;
  const place = await comeIn(run, door);
  const window = await taken({ fleet, kind, suits, site, place, signal: run.signal });
  const stepAside = () => {
    makeWay(window, house, place.makeWay);
  };
  const lending = { window, alone: crowd.isOne, stepAside, options, watchMemory, processes };
  try {
    return await useWindow({ ...wanted, ...lending }, use);
  } finally {
    // Cleaned after the answer has gone out.
    release({ window, place }, house);
  }
}

/** Jobs in line for which a window more is worth opening: it takes as long as to clean up after so many. */
const worthOpening = 4;

/**
 * Leaves to a job that waits, if it is to begin while this window still has something to do that leaves time for others: a page with
 * scripts waits until nothing changes it, and to clean up after it takes a third as long as a job. One window at a time is beside the places.
 */
function makeWay(window: EngineWindow, { fleet, aside, door }: House, leave: () => void): void {
  const { waiting } = door.pool.state;
  const isLive = window.kind === 'live' && window.broken === undefined;
  const isRoom = aside.size === 0 && !door.admission.isShort();
  const another = fleet.windows.live.idle > 0 ? 1 : worthOpening;
  if (!isLive || !isRoom || waiting < another) return;
  aside.add(window);
  leave();
}

function release({ window, place }: Lent, house: House): void {
  const { fleet, cleaning, aside } = house;
  makeWay(window, house, place.leave);
  const cleaned = fleet.giveBack(window).finally(() => {
    cleaning.delete(cleaned);
    aside.delete(window);
    place.leave();
  });
  cleaning.add(cleaned);
}

interface Lent {
  readonly window: EngineWindow;
  readonly place: Place;
}

interface House {
  readonly options: EngineOptions;
  readonly fleet: Fleet;
  readonly door: Door;
  readonly crowd: Crowd;
  readonly watchMemory: WatchMemory;
  readonly processes: ProcessWatch;
  /** Of windows, after a job. */
  readonly cleaning: Set<Promise<void>>;
  /** Windows whose job has left its place before they are clean. */
  readonly aside: Set<EngineWindow>;
}

interface Attempt {
  readonly run: Run;
  readonly kind: WindowKind;
  readonly suits: Suits;
  readonly site: string;
  readonly access: Access;
  /** What the job's own files are looked for in. */
  readonly home: 'archive' | 'upload';
}

interface Lending extends Omit<Attempt, 'kind' | 'suits' | 'site'>, Pick<WindowRun, 'alone' | 'stepAside'> {
  readonly window: EngineWindow;
  readonly options: EngineOptions;
  readonly watchMemory: WatchMemory;
  readonly processes: ProcessWatch;
}

async function useWindow<T>(lending: Lending, use: Use<T>): Promise<T> {
  const { window, options, alone, stepAside, processes, ...attempt } = lending;
  const { run } = attempt;
  const { jobTimeout: limit, prefixes, log } = options;
  window.seat.journal.log = aboutJob(log, {
    job: run.job.id,
    account: run.job.account,
    tag: run.job.options.tag,
  });
  const lease = beginLease(window, { ...attempt, limit });
  using _watched = processes.begin({ window, lease, isPicture: isImage(run.job.options) });
  try {
    await unlessAborted(lease.signal, lease.ready);
    const limited = { ...run, signal: lease.signal, limit, prefixes, alone, stepAside };
    return await unlessAborted(lease.signal, use(window, limited));
  } catch (problem) {
    await processes.news(problem);
    if (!lease.signal.aborted) {
      // A fault of ours: who knows what was left half done.
      if (!(problem instanceof Failure)) window.broken ??= 'its job failed';
      throw problem;
    }
    // Whatever the page is doing, an endless script included, ends with its renderer.
    window.broken ??= run.signal.aborted ? 'its job was ended' : 'its job ran out of time';
    void endRenderer(window);
    throw lease.signal.reason;
  } finally {
    await lease.end();
  }
}

interface Taking extends Wanted {
  readonly fleet: Fleet;
  readonly place: Place;
  readonly signal: AbortSignal;
}

/** @throws Failure unavailable when no window could be opened; the signal's reason */
async function taken({ fleet, place, signal, ...wanted }: Taking): Promise<EngineWindow> {
  const taking = fleet.take(wanted);
  try {
    return await unlessAborted(signal, taking);
  } catch (problem) {
    // It may still come, for nobody.
    void taking
      .then((window) => fleet.giveBack(window))
      .catch(() => {})
      .finally(() => {
        place.leave();
      });
    if (signal.aborted) throw problem;
    if (hasNoRoom(problem)) throw noRoom(problem);
    const sentence = 'No window could be opened for the job. Try again in a moment.';
    const cause = new BrowserFault('no window could be opened', { cause: problem });
    throw new Failure('unavailable', sentence, { cause, retryAfter: 5 });
  }
}

/** Documents that run no script get slow frames; what runs scripts, or is looked at, gets full ones. */
function kindFor({ options }: Job, source: Source): WindowKind {
  return source.scripts || isImage(options) ? 'live' : 'still';
}

function homeOf(source: Source): Attempt['home'] {
  return source.kind === 'document' && source.files !== undefined ? 'archive' : 'upload';
}
