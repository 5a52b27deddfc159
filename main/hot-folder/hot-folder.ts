/** Runs one hot folder: scans it and converts its sources. */
import { join } from 'node:path';
import type { Account } from '../accounts/account.ts';
import type { JobLimits } from '../job/rules.ts';
import type { DebugLogs } from '../log/debug-logs.ts';
import { openFolderWatcher } from './folder-watcher.ts';
import {
  convertSource,
  type SourceResult,
  type SourceJob,
  type SourceDependencies,
} from './convert-source.ts';
import { FolderUnusable, scanFolder, type FolderSnapshot } from './scan-folder.ts';
import { finishConvertedSource, moveFailedSource } from './finished-sources.ts';
import { signatureAt } from './folder-file.ts';
import { openSourceTracker, type ScannedSource } from './source-tracker.ts';
import type { JobLimiter } from './job-limiter.ts';
import { messageOf } from '../failure/failure.ts';

/** The state of a hot folder, as operators see it. */
export interface FolderState {
  /** Absolute path. */
  readonly path: string;
  /** Why nothing is converted at present; absent if there is no problem. */
  readonly problem?: string;
  /** Number of sources that wait for a slot or a retry. */
  readonly waiting: number;
  /** Number of running jobs. */
  readonly converting: number;
  /** Number of converted sources since the service started. */
  readonly converted: number;
  /** Number of failed sources since the service started. */
  readonly failed: number;
}

interface HotFolder {
  readonly state: () => FolderState;
  /** Scans the folder and converts sources until the signal aborts. Resolves when the last job has ended. Never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export interface HotFolderDependencies extends Omit<SourceDependencies, 'debugLogs'> {
  readonly debugLogs: Pick<DebugLogs, 'open' | 'read'>;
  readonly limiter: JobLimiter;
  /** Returns the account of the jobs, and creates it if it was removed. Called for each job. */
  readonly account: () => Promise<Account>;
  readonly jobLimits: JobLimits;
  /** Maximum size of a form, in bytes. */
  readonly maxUpload: number;
  /**
   * Returns why the folder, after links are resolved, conflicts with another hot folder or the data folder; undefined if it does
   * not.
   */
  readonly findConflict: (path: string) => Promise<string | undefined>;
}

/** Minimum time between scans, while sources are changing. */
const minRescanMs = 200;
/** Time until the next scan of a folder that has a problem. */
const problemRetryMs = 5000;
/** Time between scans if no change is reported. */
const defaultPollMs = 30_000;

export function openHotFolder(path: string, dependencies: HotFolderDependencies): HotFolder {
  const folder: FolderContext = {
    path,
    dependencies,
    tracker: openSourceTracker(),
    watcher: openFolderWatcher(),
    ready: new Map(),
    jobs: new Map(),
    snapshot: undefined,
    settingsSeen: undefined,
    problem: undefined,
    startingJobs: undefined,
    moves: Promise.resolve(),
    converted: 0,
    failed: 0,
  };
  return {
    state: () => stateOf(folder),
    async run(signal) {
      while (!signal.aborted) {
        const began = performance.now();
        const nextScanMs = await scan(folder, signal);
        // The wait is at least four times as long as the scan, so that large folders do not keep the service busy.
        const minWaitMs = Math.max(minRescanMs, 4 * (performance.now() - began));
        await folder.watcher.wait(minWaitMs, Math.max(minWaitMs, nextScanMs), signal);
      }
      folder.watcher[Symbol.dispose]();
      await folder.startingJobs;
      await Promise.all(folder.jobs.values());
    },
  };
}

interface FolderContext {
  readonly path: string;
  readonly dependencies: HotFolderDependencies;
  readonly tracker: ReturnType<typeof openSourceTracker>;
  readonly watcher: ReturnType<typeof openFolderWatcher>;
  /** Sources that can be converted now, by name, oldest first. */
  ready: Map<string, ScannedSource>;
  /** Running jobs by source name. */
  readonly jobs: Map<string, Promise<void>>;
  snapshot: FolderSnapshot | undefined;
  /** The version of platen.json at the last scan, and when that version was first seen. */
  settingsSeen: { readonly version: string; readonly since: number } | undefined;
  problem: string | undefined;
  startingJobs: Promise<void> | undefined;
  /** The last of the queued file moves, which run one after another. Never rejects. */
  moves: Promise<void>;
  converted: number;
  failed: number;
}

function stateOf({ path, problem, ready, tracker, jobs, converted, failed }: FolderContext): FolderState {
  const waiting = ready.size + tracker.countPostponed(performance.now());
  const counts = { waiting, converting: jobs.size, converted, failed };
  return { path, ...(problem !== undefined && { problem }), ...counts };
}

/** Scans the folder once and starts jobs. Returns the time until the next scan in milliseconds. Never rejects. */
async function scan(folder: FolderContext, signal: AbortSignal): Promise<number> {
  try {
    const snapshot = await scanFolder(folder.path, folder.dependencies.jobLimits);
    if (folder.problem !== undefined || folder.snapshot === undefined) await rejectConflict(folder);
    reportProblem(folder, undefined);
    folder.snapshot = snapshot;
    folder.watcher.watch(folder.path, snapshot.identity);
    const { settleMs, pollMs = defaultPollMs } = snapshot.settings;
    // The author of platen.json may still be editing it, so no source is converted until it has been unchanged for the settle time.
    const settleWaitMs = msUntilSettled(folder, snapshot);
    const { ready, nextReadyMs = pollMs } = folder.tracker.update(snapshot.seen, performance.now(), settleMs);
    const idleSources = settleWaitMs > 0 ? [] : ready.filter(({ name }) => !folder.jobs.has(name));
    folder.ready = new Map(idleSources.map((seen) => [seen.name, seen]));
    folder.startingJobs ??= startJobs(folder, signal).finally(() => (folder.startingJobs = undefined));
    return Math.min(nextReadyMs, settleWaitMs > 0 ? settleWaitMs : pollMs, pollMs);
  } catch (problem) {
    folder.ready.clear();
    reportProblem(folder, messageOf(problem));
    if (!(problem instanceof FolderUnusable))
      folder.dependencies.log.error({ err: problem, folder: folder.path }, 'cannot scan the hot folder');
    return problemRetryMs;
  }
}

async function rejectConflict({ path, dependencies }: FolderContext): Promise<void> {
  const conflict = await dependencies.findConflict(path);
  if (conflict !== undefined) throw new FolderUnusable(conflict);
}

/**
 * Returns the milliseconds until platen.json has been unchanged for the settle time; 0 or less if it has been, or if the file is
 * missing.
 */
function msUntilSettled(
  folder: FolderContext,
  { settingsVersion: version, settings }: FolderSnapshot,
): number {
  const now = performance.now();
  if (folder.settingsSeen?.version !== version) folder.settingsSeen = { version, since: now };
  return version === '' ? 0 : folder.settingsSeen.since + settings.settleMs - now;
}

/** Stores the problem, and logs it when it changes. */
function reportProblem(folder: FolderContext, problem: string | undefined): void {
  const { path, dependencies } = folder;
  if (problem !== undefined && problem !== folder.problem)
    dependencies.log.warn({ folder: path, why: problem }, 'hot folder is not being converted');
  if (problem === undefined && folder.problem !== undefined)
    dependencies.log.info({ folder: path }, 'hot folder is being converted again');
  folder.problem = problem;
}

/** Starts jobs while there are ready sources, and waits for a free slot before each. */
async function startJobs(folder: FolderContext, signal: AbortSignal): Promise<void> {
  while (folder.ready.size > 0 && !signal.aborted) {
    const release = await folder.dependencies.limiter.acquire(signal).catch(() => undefined);
    const [seen] = folder.ready.values();
    if (release === undefined || seen === undefined) {
      release?.();
      return;
    }
    folder.ready.delete(seen.name);
    const job = convert(folder, seen)
      .catch((problem: unknown) => {
        folder.dependencies.log.error(
          { err: problem, folder: folder.path, file: seen.name },
          'cannot convert a file of the hot folder',
        );
        postponeSource(folder, seen, problemRetryMs);
      })
      .finally(() => {
        folder.jobs.delete(seen.name);
        release();
        folder.watcher.wake();
      });
    folder.jobs.set(seen.name, job);
  }
}

async function convert(folder: FolderContext, seen: ScannedSource): Promise<void> {
  const { path, dependencies, snapshot, tracker } = folder;
  const source = snapshot?.sources.get(seen.name);
  const output = snapshot?.outputs.get(seen.name);
  if (snapshot === undefined || source === undefined || output === undefined) return;
  // The source may have changed while it waited for a slot.
  if ((await signatureAt(join(path, seen.name))) !== seen.signature) return;
  const { settings } = snapshot;
  const { signature } = seen;
  const sourceJob: SourceJob = {
    folder: path,
    source,
    signature,
    settings,
    output,
    maxUpload: dependencies.maxUpload,
    account: await dependencies.account(),
  };
  const result = await convertSource(sourceJob, dependencies);
  if (result.kind === 'later') {
    postpone(folder, seen, result);
    return;
  }
  if (result.kind === 'gone') return;
  tracker.markHandled(seen.name, signature);
  folder[result.kind] += 1;
  // Moves run one after another, because two concurrent moves could choose the same free name.
  folder.moves = folder.moves.then(() => disposeSource(sourceJob, result, folder));
  await folder.moves;
}

const maxRetryDelayMs = 300_000;

function postpone(
  folder: FolderContext,
  seen: ScannedSource,
  result: Extract<SourceResult, { kind: 'later' }>,
): void {
  const { affectsAllSources, delayMs } = result;
  if (affectsAllSources) {
    folder.dependencies.limiter.pauseFor(delayMs);
    folder.tracker.postpone(seen.name, seen.signature, 0);
    return;
  }
  postponeSource(folder, seen, delayMs);
}

/** Postpones a source. The delay doubles with each consecutive postponement, up to five minutes. */
function postponeSource(
  { tracker }: FolderContext,
  { name, signature }: ScannedSource,
  delayMs: number,
): void {
  const backoffMs = Math.min(delayMs * 2 ** tracker.countPostponements(name), maxRetryDelayMs);
  tracker.postpone(name, signature, performance.now() + backoffMs);
}

/** Moves or deletes a finished source. If that fails, the source stays in place and is not converted again until it changes. */
async function disposeSource(
  sourceJob: SourceJob,
  result: Extract<SourceResult, { kind: 'converted' | 'failed' }>,
  { dependencies, path }: FolderContext,
): Promise<void> {
  try {
    if (result.kind === 'converted') await finishConvertedSource(sourceJob);
    else await moveFailedSource(sourceJob, result, dependencies.debugLogs);
  } catch (problem) {
    const details = { folder: path, file: sourceJob.source.name, err: problem };
    dependencies.log.warn(details, 'cannot move a file of a hot folder; it stays in place');
  }
}
