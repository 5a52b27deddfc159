/**
 * Runs queued jobs on this node while windows are free. Callers that wait for a window take precedence: a job is claimed only if no
 * caller needs the window.
 */
import type { ThisNode } from '../accounts/nodes/this-node.ts';
import { WakeablePause } from '../async/wakeable-pause.ts';
import { isUnavailable } from '../accounts/store/unavailable.ts';
import { claimJob, emptyQueuePauseMs, hasOpenJobs } from './claim.ts';
import { JobRun, type JobRunDependencies } from './job-run.ts';
import { SuspectRun, type SuspectRunDependencies } from './suspect-run.ts';

export interface QueueRunnerDependencies extends JobRunDependencies, Pick<SuspectRunDependencies, 'isolate'> {
  readonly node: Pick<ThisNode, 'id'>;
  /** Whether other nodes may use the database. */
  readonly isShared: boolean;
  /** The number of windows. */
  readonly windows: number;
  /** Whether this node may begin jobs: not while it is paused, drained, faulty or short of memory. */
  readonly mayBegin: () => boolean;
  /** Called when a job has ended or waits again. */
  readonly onJobEnded: () => void;
}

/** How often a node tries to claim a job while jobs are open but none may begin. */
const idleIntervalMs = 1000;
/** How often a node whose windows are busy checks whether one is free. */
const busyIntervalMs = 50;
/** How often a node checks whether its running jobs were canceled. */
const watchIntervalMs = 1000;

export class QueueRunner implements AsyncDisposable {
  readonly #dependencies: QueueRunnerDependencies;
  readonly #running = new Map<JobRun | SuspectRun, Promise<void>>();
  readonly #pause = new WakeablePause();
  #watchTimer: NodeJS.Timeout | undefined;
  #loop: Promise<void> | undefined;
  #isStopped = false;
  /** Whether jobs may wait: the last claim was successful, or the windows were busy. */
  #mayHaveMore = false;
  /** Whether a claim may have been written although it failed. */
  #isClaimUncertain = false;
  #watching: Promise<void> = Promise.resolve();

  constructor(dependencies: QueueRunnerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Begins to claim jobs. */
  begin(): void {
    this.#loop ??= this.#run();
  }

  /** Looks for queued jobs now, because one was submitted. */
  wake(): void {
    this.#mayHaveMore = true;
    this.#pause.wake();
  }

  /** Ends the work on a job that was canceled, or on the rows of a batch, if they run on this node. */
  abort(id: string): void {
    for (const run of this.#running.keys())
      if (run.job.id === id || run.job.request.batch === id) run.abort('The job was canceled.');
  }

  /** The number of jobs that run on this node. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether a suspect runs in its separate process. */
  get runsSuspect(): boolean {
    return [...this.#running.keys()].some((run) => run instanceof SuspectRun);
  }

  /** Stops claiming, and waits for the running jobs, which end at the latest when the shutdown aborts them. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.#pause.wake();
    await this.#loop;
    await Promise.all(this.#running.values());
    clearInterval(this.#watchTimer);
    await this.#watching;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      if (!this.#mayHaveMore && !(await this.#hasOpenJobs()))
        await this.#pause.wait(emptyQueuePauseMs(this.#dependencies.isShared));
      else if (!this.#hasRoom()) await this.#pause.wait(this.#mayHaveMore ? busyIntervalMs : idleIntervalMs);
      else if (!(await this.#claim()) && !this.#mayHaveMore) await this.#pause.wait(idleIntervalMs);
    }
  }

  /** Returns false only if no job waits or runs. Never rejects: the claim then reports the problem. */
  async #hasOpenJobs(): Promise<boolean> {
    return await hasOpenJobs(this.#dependencies.database).catch(() => true);
  }

  /** Returns whether a window is free for a job, beyond those that callers and claimed jobs will use. */
  #hasRoom(): boolean {
    const { engine, inputQueue, windows, mayBegin, isStopping } = this.#dependencies;
    if (isStopping() || !mayBegin()) return false;
    const receiving = [...this.#running.keys()].filter(({ isReceiving }) => isReceiving).length;
    const { working, waiting } = engine.state;
    const preparing = inputQueue.state.working + inputQueue.state.waiting;
    // Jobs whose output is being stored occupy no window, but hold the output in memory.
    return working + waiting + preparing + receiving < windows && this.#running.size < 2 * windows;
  }

  /** Claims and begins a job. Returns whether there was one. Never rejects. */
  async #claim(): Promise<boolean> {
    const { log } = this.#dependencies;
    this.#mayHaveMore = false;
    try {
      if (this.#isClaimUncertain) await this.#giveBackUnknownJobs();
      const run = (await this.#claimSuspect()) ?? (await this.#claimJob());
      if (run === undefined) return false;
      this.#mayHaveMore = true;
      this.#begin(run);
      return true;
    } catch (problem) {
      this.#isClaimUncertain = true;
      if (!isUnavailable(problem)) log.error({ err: problem }, 'cannot claim a queued job; this is retried');
      return false;
    }
  }

  /** Claims a suspect, unless one runs on this node. */
  async #claimSuspect(): Promise<SuspectRun | undefined> {
    const { database, node, keyring, ends } = this.#dependencies;
    if (this.runsSuspect) return undefined;
    const claimed = await claimJob({ database, node: node.id, keyring, ends, suspects: true });
    return claimed && new SuspectRun(claimed, this.#dependencies);
  }

  async #claimJob(): Promise<JobRun | undefined> {
    const { database, node, keyring, ends } = this.#dependencies;
    const claimed = await claimJob({ database, node: node.id, keyring, ends, suspects: false });
    return claimed && new JobRun(claimed, this.#dependencies);
  }

  #begin(run: JobRun | SuspectRun): void {
    const ended = run.run().finally(() => {
      this.#running.delete(run);
      if (this.#running.size === 0) clearInterval(this.#watchTimer);
      this.#dependencies.onJobEnded();
      this.#pause.wake();
    });
    if (this.#running.size === 0)
      this.#watchTimer = setInterval(() => {
        this.#watching = this.#watching.then(() => this.#watch());
      }, watchIntervalMs).unref();
    this.#running.set(run, ended);
  }

  /** Gives back the jobs that the database assigns to this node, but that do not run here: their claim was written, then failed. */
  async #giveBackUnknownJobs(): Promise<void> {
    const { database, node } = this.#dependencies;
    const own = [...this.#running.keys()].map(({ job }) => job.id);
    let giveBack = database
      .updateTable('jobs')
      .set({ started_at: null, node_id: null, reserved: 0 })
      .where('node_id', '=', node.id)
      .where('outcome', 'is', null)
      .where('id', 'in', (open) =>
        open.selectFrom('asynchronous_jobs').where('request', 'is not', null).select('job_id'),
      );
    if (own.length > 0) giveBack = giveBack.where('id', 'not in', own);
    await giveBack.execute();
    this.#isClaimUncertain = false;
  }

  /** Aborts the jobs that were canceled, or given back because other nodes took this one for lost. Never rejects. */
  async #watch(): Promise<void> {
    const runs = [...this.#running.keys()];
    if (runs.length === 0) return;
    try {
      const rows = await this.#dependencies.database
        .selectFrom('jobs')
        .select(['id', 'node_id'])
        .where(
          'id',
          'in',
          runs.map(({ job }) => job.id),
        )
        .where('outcome', 'is', null)
        .execute();
      const nodes = new Map(rows.map(({ id, node_id }) => [id, node_id]));
      for (const run of runs)
        if (nodes.get(run.job.id) !== run.job.node) run.abort('The job was canceled or given back.');
    } catch {
      // The charge of the job checks the same.
    }
  }
}
