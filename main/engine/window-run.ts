/** The Run of a job that has a window. */
import type { Run } from '../job/job.ts';

/** A Run whose signal also aborts at the job timeout and when the renderer is lost. */
export interface WindowRun extends Run {
  /** The job timeout (setting job-timeout) in milliseconds. */
  readonly jobTimeoutMs: number;
  /** Milliseconds that the page may take to settle. */
  readonly settleLimitMs: number;
  /** Class-name prefixes of the markup conventions, such as `service`. */
  readonly classPrefixes: readonly string[];
  /** Returns whether more jobs are queued than may run concurrently (setting workers). */
  readonly isQueueLong: () => boolean;
  /** Lets a queued job start while this job waits. Call it before a wait that uses little processor time. */
  readonly yieldSlot: () => void;
}
