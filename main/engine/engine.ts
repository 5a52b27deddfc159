/**
 * The engine: windows lent to jobs one at a time, within two limits, cleaned between jobs, and replaced, never repaired,
 * when they crashed, timed out or have done their share. It knows no option but those that choose a kind of window.
 */
import { Failure } from '../failure/failure.ts';
import type { Source } from '../input/source.ts';
import { isImage, type Job } from '../job/job.ts';
import { aboutJob } from '../log/service-log.ts';
import { unlessAborted, type Run } from '../run.ts';
import { openFleet, type Fleet, type FleetOptions } from './fleet.ts';
import { accessFor, type Access } from './access.ts';
import { beginLease, RendererGone } from './lease.ts';
import { openCrowd } from './crowd.ts';
import { Pool, type Place, type PoolLimits, type PoolState } from './pool.ts';
import { endRenderer, type EngineWindow, type WindowKind } from './window.ts';

export interface EngineOptions extends PoolLimits, FleetOptions {
  /** The job limit in milliseconds, from the moment a window takes the job. */
  readonly jobTimeout: number;
  /** Prefixes of the markup conventions. */
  readonly prefixes: readonly string[];
  /** Called for each job that gets its window, with the milliseconds it waited. */
  readonly onWaited?: (milliseconds: number) => void;
}

/** A Run while it has a window: its signal holds the job limit too. */
export interface WindowRun extends Run {
  /** Milliseconds. */
  readonly limit: number;
  readonly prefixes: readonly string[];
  /** Whether jobs come one at a time just now, so that time taken is nobody else's. */
  readonly alone: () => boolean;
}

type Use<T> = (window: EngineWindow, run: WindowRun) => Promise<T>;

export interface Engine extends AsyncDisposable {
  /** Lends a window for one job. @throws what `use` throws; Failure unavailable, timedOut, rendererCrashed, tooComplex */
  readonly withWindow: <T>(run: Run, source: Source, use: Use<T>) => Promise<T>;
  /** Why a job of this account that came now would be refused at once, or undefined. */
  readonly refusalOf: (account: string) => Failure | undefined;
  readonly state: PoolState & { readonly full: boolean; readonly windows: Fleet['windows'] };
  /** No more jobs; those that wait are refused. */
  readonly close: () => void;
}

/** Opens the engine; it can take a job when this resolves. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const pool = new Pool(options);
  const fleet = await openFleet(options);
  const cleaning = new Set<Promise<void>>();
  const release = (window: EngineWindow, place: Place) => {
    const cleaned = fleet.giveBack(window).finally(() => {
      cleaning.delete(cleaned);
      place.leave();
    });
    cleaning.add(cleaned);
  };
  const crowd = openCrowd();
  const attempt = async <T>({ run, kind, access, home }: Attempt, use: Use<T>): Promise<T> => {
    const place = await takeTurn(run, pool, options);
    const window = await taken(fleet, kind, place);
    try {
      return await useWindow({ window, run, access, home, alone: crowd.isOne, options }, use);
    } finally {
      // Cleaned after the answer has gone out; the place is free when the window is clean.
      release(window, place);
    }
  };
  return {
    async withWindow(run, source, use) {
      using _here = crowd.enter();
      const kind = kindFor(run.job, source);
      const wanted = { run, kind, access: await accessFor(run.job), home: homeOf(source) };
      try {
        return await attempt(wanted, use);
      } catch (problem) {
        if (!(problem instanceof RendererGone)) throw problem;
        failForMemory(problem);
        noteLoss(run, problem);
      }
      return await attempt(wanted, use).catch(explainSecondLoss);
    },
    refusalOf: (account) => pool.refusalOf(account),
    get state() {
      return { ...pool.state, full: pool.full, windows: fleet.windows };
    },
    close() {
      pool.close();
    },
    async [Symbol.asyncDispose]() {
      pool.close();
      await Promise.all(cleaning);
      await fleet[Symbol.asyncDispose]();
    },
  };
}

function noteLoss({ log }: Run, { message }: RendererGone): void {
  log.note(`The page's renderer was lost (${message}); the conversion was begun anew in another window.`, {
    code: 'renderer-lost',
  });
}

/** Why the wait for a window takes as long as it does. */
function turnIn({ working, waiting }: PoolState, { workers }: PoolLimits): string {
  if (working < workers) return 'a window was free at once';
  const others =
    waiting === 0 ? '' : `, and ${waiting} other job${waiting === 1 ? ' was' : 's were'} waiting`;
  return `${workers === 1 ? 'the only window was' : `all ${workers} windows were`} taken${others}`;
}

async function takeTurn(run: Run, pool: Pool, options: EngineOptions): Promise<Place> {
  const came = performance.now();
  const place = await run.log.time('wait for a window', () => {
    run.log.because(turnIn(pool.state, options));
    return pool.enter(run.job.account, run.signal);
  });
  options.onWaited?.(performance.now() - came);
  return place;
}

interface Attempt {
  readonly run: Run;
  readonly kind: WindowKind;
  readonly access: Access;
  /** What the job's own files are looked for in. */
  readonly home: 'archive' | 'upload';
}

interface Lending extends Omit<Attempt, 'kind'> {
  readonly window: EngineWindow;
  readonly alone: WindowRun['alone'];
  readonly options: EngineOptions;
}

async function useWindow<T>({ window, options, alone, ...attempt }: Lending, use: Use<T>): Promise<T> {
  const { run } = attempt;
  const { jobTimeout: limit, prefixes, log } = options;
  window.seat.journal.log = aboutJob(log, {
    job: run.job.id,
    account: run.job.account,
    tag: run.job.options.tag,
  });
  const lease = beginLease(window, { ...attempt, limit });
  try {
    await unlessAborted(lease.signal, lease.ready);
    const limited = { ...run, signal: lease.signal, limit, prefixes, alone };
    return await unlessAborted(lease.signal, use(window, limited));
  } catch (problem) {
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

async function taken(fleet: Fleet, kind: WindowKind, place: Place): Promise<EngineWindow> {
  try {
    return await fleet.take(kind);
  } catch (problem) {
    place.leave();
    throw problem;
  }
}

/** Documents that run no script get slow frames; what runs scripts, or is looked at, gets full ones. */
function kindFor({ options }: Job, source: Source): WindowKind {
  return source.scripts || isImage(options) ? 'live' : 'still';
}

function homeOf(source: Source): Attempt['home'] {
  return source.kind === 'document' && source.files !== undefined ? 'archive' : 'upload';
}

/** In another window it would need as much. */
function failForMemory(problem: RendererGone): void {
  if (problem.message === 'oom')
    throw new Failure('tooComplex', 'The page needs more memory than a window may have.', { cause: problem });
}

function explainSecondLoss(problem: unknown): never {
  if (!(problem instanceof RendererGone)) throw problem;
  failForMemory(problem);
  throw new Failure('rendererCrashed', 'The page crashed its renderer twice.', { cause: problem });
}
