/** A Run: one conversion under way. Everything that waits gets its signal, everything that explains gets its log. */
import type { Job } from './job/job.ts';
import type { DebugLog } from './log/debug-log.ts';

export interface Run {
  readonly job: Job;
  readonly log: DebugLog;
  /** The job's own folder, gone when the job ends. */
  readonly folder: string;
  /** Aborts on deadline, caller gone and shutdown; its reason is what to throw. */
  readonly signal: AbortSignal;
}
