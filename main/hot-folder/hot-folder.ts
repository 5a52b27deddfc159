/**
 * Runs one hot folder: scans it, and converts the sources that are ready. Owns the folder's running jobs and the counts of its
 * sources.
 */
import { basename, join } from 'node:path';
import type { Account } from '../accounts/account.ts';
import type { JobLimits } from '../job/rules.ts';
import type { DebugLogs } from '../log/debug-logs.ts';
import { FolderWatcher } from './folder-watcher.ts';
import {
  convertSource,
  type SourceResult,
  type SourceJob,
  type SourceDependencies,
} from './convert-source.ts';
import { FolderUnusable, scanFolder, type FolderSnapshot } from './scan-folder.ts';
import { finishConvertedSource, moveFailedSource } from './finished-sources.ts';
import { signatureAt } from './folder-file.ts';
import { OutputNamer } from './output-namer.ts';
import { SourceTracker, type ScannedSource } from './source-tracker.ts';
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

export interface HotFolderDependencies extends Omit<SourceDependencies, 'debugLogs'> {
  readonly debugLogs: Pick<DebugLogs, 'open' | 'render'>;
  readonly limiter: JobLimiter;
  /** Returns the account of the jobs, and creates it if it was removed. Called for each job. */
  readonly account: () => Promise<Account>;
  readonly jobLimits: JobLimits;
  /** Maximum size of a form, in bytes. */
  readonly maxUpload: number;
  /** Takes or renews the right to convert the files of the folder. Returns false if another node has it. */
  readonly takeLease: (path: string) => Promise<boolean>;
  /**
   * Returns why the folder, after links are resolved, conflicts with another hot folder or the data folder; undefined if it does
   * not.
   */
  readonly findConflict: (path: string) => Promise<string | undefined>;
}

type PostponedResult = Extract<SourceResult, { kind: 'later' }>;
type FinishedResult = Extract<SourceResult, { kind: 'converted' | 'failed' }>;

/** Minimum time between scans, while sources are changing. */
const minRescanMs = 200;
/** Time until the next scan of a folder that has a problem. */
const problemRetryMs = 5000;
/** Time between attempts to take over a folder from another node. A lease ends 10 s after its node. */
const leaseRetryMs = 4000;
/** Time between scans if no change is reported. On Windows, changes are never reported (folder-watcher.ts). */
const defaultPollMs = process.platform === 'win32' ? 2000 : 30_000;

/** Maximum time until the next attempt to convert a postponed source. */
const maxRetryDelayMs = 300_000;

export class HotFolder {
  readonly #path: string;
  readonly #dependencies: HotFolderDependencies;
  readonly #tracker = new SourceTracker();
  readonly #outputNamer = new OutputNamer();
  readonly #watcher = new FolderWatcher();
  /** Running jobs by source name. */
  readonly #jobs = new Map<string, Promise<void>>();
  /** Numbers of finished sources since the service started. */
  readonly #finished = { converted: 0, failed: 0 };
  /** Sources that can be converted now, by name, oldest first. */
  #ready = new Map<string, ScannedSource>();
  #snapshot: FolderSnapshot | undefined;
  /** The version of platen.json at the last scan, and when that version was first seen. */
  #settingsSeen: { readonly version: string; readonly since: number } | undefined;
  #problem: string | undefined;
  #startingJobs: Promise<void> | undefined;
  /** The last of the queued file moves, which run one after another. Never rejects. */
  #moves: Promise<void> = Promise.resolve();

  constructor(path: string, dependencies: HotFolderDependencies) {
    this.#path = path;
    this.#dependencies = dependencies;
  }

  get state(): FolderState {
    return {
      path: this.#path,
      ...(this.#problem !== undefined && { problem: this.#problem }),
      waiting: this.#ready.size + this.#tracker.countPostponed(performance.now()),
      converting: this.#jobs.size,
      ...this.#finished,
    };
  }

  /** Scans the folder and converts sources until the signal aborts. Resolves when the last job has ended. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const began = performance.now();
      const nextScanMs = await this.#scan(signal);
      // The wait is at least four times as long as the scan, so that large folders do not keep the service busy.
      const minWaitMs = Math.max(minRescanMs, 4 * (performance.now() - began));
      await this.#watcher.wait(minWaitMs, Math.max(minWaitMs, nextScanMs), signal);
    }
    this.#watcher[Symbol.dispose]();
    await this.#startingJobs;
    await Promise.all(this.#jobs.values());
  }

  /** Scans the folder once and starts jobs. Returns the time until the next scan in milliseconds. Never rejects. */
  async #scan(signal: AbortSignal): Promise<number> {
    try {
      if (!(await this.#dependencies.takeLease(this.#path))) {
        this.#ready.clear();
        this.#reportProblem('another node converts the files of this folder');
        return leaseRetryMs;
      }
      const snapshot = await scanFolder(this.#path, this.#dependencies.jobLimits, this.#outputNamer);
      const isSameFolder = this.#snapshot?.identity === snapshot.identity;
      if (this.#problem !== undefined || !isSameFolder) await this.#rejectConflict();
      this.#reportProblem(undefined);
      this.#snapshot = snapshot;
      this.#watcher.watch(this.#path, snapshot.identity);
      const nextScanMs = this.#updateReady(snapshot);
      this.#startingJobs ??= this.#startJobs(signal).finally(() => (this.#startingJobs = undefined));
      return nextScanMs;
    } catch (problem) {
      this.#ready.clear();
      this.#reportProblem(messageOf(problem));
      if (!(problem instanceof FolderUnusable))
        this.#dependencies.log.error({ err: problem, folder: this.#path }, 'cannot scan the hot folder');
      return problemRetryMs;
    }
  }

  /** @throws FolderUnusable if the folder conflicts with another one */
  async #rejectConflict(): Promise<void> {
    const conflict = await this.#dependencies.findConflict(this.#path);
    if (conflict !== undefined) throw new FolderUnusable(conflict);
  }

  /** Stores the problem, and logs it when it changes. */
  #reportProblem(problem: string | undefined): void {
    const { log } = this.#dependencies;
    if (problem !== undefined && problem !== this.#problem)
      log.warn({ folder: this.#path, why: problem }, 'the files of a hot folder are not being converted');
    if (problem === undefined && this.#problem !== undefined)
      log.info({ folder: this.#path }, 'the files of a hot folder are being converted again');
    this.#problem = problem;
  }

  /** Determines the sources that can be converted now. Returns the milliseconds until that may change. */
  #updateReady(snapshot: FolderSnapshot): number {
    const { settleMs, pollMs = defaultPollMs } = snapshot.settings;
    // The author of platen.json may still be editing it, so no source is converted until it has been unchanged for the settle time.
    const settleWaitMs = this.#msUntilSettled(snapshot);
    const { ready, nextReadyMs = pollMs } = this.#tracker.update(snapshot.seen, performance.now(), settleMs);
    const idleSources = settleWaitMs > 0 ? [] : ready.filter(({ name }) => !this.#jobs.has(name));
    this.#ready = new Map(idleSources.map((seen) => [seen.name, seen]));
    return Math.min(nextReadyMs, settleWaitMs > 0 ? settleWaitMs : pollMs, pollMs);
  }

  /**
   * Returns the milliseconds until platen.json has been unchanged for the settle time; 0 or less if it has been, or if the file is
   * missing.
   */
  #msUntilSettled({ settingsVersion: version, settings }: FolderSnapshot): number {
    const now = performance.now();
    if (this.#settingsSeen?.version !== version) this.#settingsSeen = { version, since: now };
    return version === '' ? 0 : this.#settingsSeen.since + settings.settleMs - now;
  }

  /** Starts jobs while there are ready sources, and waits for a free slot before each. */
  async #startJobs(signal: AbortSignal): Promise<void> {
    while (this.#ready.size > 0 && !signal.aborted) {
      const release = await this.#dependencies.limiter.acquire(signal).catch(() => undefined);
      const [seen] = this.#ready.values();
      if (release === undefined || seen === undefined) {
        release?.();
        return;
      }
      this.#ready.delete(seen.name);
      this.#startJob(seen, release);
    }
  }

  #startJob(seen: ScannedSource, release: () => void): void {
    const job = this.#convert(seen)
      .catch((problem: unknown) => {
        this.#dependencies.log.error(
          { err: problem, folder: this.#path, file: seen.name },
          'cannot convert a file of the hot folder',
        );
        this.#postponeSource(seen, problemRetryMs);
      })
      .finally(() => {
        this.#jobs.delete(seen.name);
        release();
        this.#watcher.wake();
      });
    this.#jobs.set(seen.name, job);
  }

  async #convert(seen: ScannedSource): Promise<void> {
    const sourceJob = await this.#jobFor(seen);
    if (sourceJob === undefined) return;
    const result = await convertSource(sourceJob, this.#dependencies);
    if (result.kind === 'gone') return;
    if (result.kind === 'later') {
      this.#postpone(seen, result);
      return;
    }
    this.#tracker.markHandled(seen.name, seen.signature);
    this.#finished[result.kind] += 1;
    // Moves run one after another, because two concurrent moves could choose the same free name.
    this.#moves = this.#moves.then(() => this.#disposeSource(sourceJob, result));
    await this.#moves;
  }

  /** Returns the job of a source; undefined if the source has changed or disappeared while it waited for a slot. */
  async #jobFor({ name, signature }: ScannedSource): Promise<SourceJob | undefined> {
    const snapshot = this.#snapshot;
    const source = snapshot?.sources.get(name);
    const output = snapshot?.outputs.get(name);
    if (snapshot === undefined || source === undefined || output === undefined) return undefined;
    this.#outputNamer.markStarted(name, output, performance.now());
    if ((await signatureAt(join(snapshot.folder, name))) !== signature) return undefined;
    return {
      folder: snapshot.folder,
      folderName: basename(this.#path),
      source,
      signature,
      settings: snapshot.settings,
      output,
      maxUpload: this.#dependencies.maxUpload,
      account: await this.#dependencies.account(),
    };
  }

  #postpone(seen: ScannedSource, { affectsAllSources, delayMs }: PostponedResult): void {
    if (!affectsAllSources) {
      this.#postponeSource(seen, delayMs);
      return;
    }
    this.#dependencies.limiter.pauseFor(delayMs);
    this.#tracker.postpone(seen.name, seen.signature, 0);
  }

  /** Postpones a source. The delay doubles with each consecutive postponement, up to five minutes. */
  #postponeSource({ name, signature }: ScannedSource, delayMs: number): void {
    const backoffMs = Math.min(delayMs * 2 ** this.#tracker.countPostponements(name), maxRetryDelayMs);
    this.#tracker.postpone(name, signature, performance.now() + backoffMs);
  }

  /** Moves or deletes a finished source. If that fails, the source stays in place and is not converted again until it changes. */
  async #disposeSource(sourceJob: SourceJob, result: FinishedResult): Promise<void> {
    const { debugLogs, log } = this.#dependencies;
    try {
      if (result.kind === 'converted') await finishConvertedSource(sourceJob);
      else await moveFailedSource(sourceJob, result, debugLogs);
    } catch (problem) {
      const details = { folder: this.#path, file: sourceJob.source.name, err: problem };
      log.warn(details, 'cannot move a file of a hot folder; it stays in place');
    }
  }
}
