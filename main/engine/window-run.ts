/** The Run of a job while the job has a window. */
import type { Run } from '../job/job.ts';

/** A Run whose signal also aborts at the job limit. */
export interface WindowRun extends Run {
  /** The job limit in milliseconds. */
  readonly jobTimeoutMs: number;
  /** Milliseconds the page may take to settle. */
  readonly settleLimitMs: number;
  readonly prefixes: readonly string[];
  /** Returns whether more jobs are queued than there are windows, so that time spent here delays them. */
  readonly isCrowded: () => boolean;
  /** Lets a queued job start. Call it before a wait that uses no processor time. */
  readonly yieldSlot: () => void;
}
