/** Waits until a job may begin: until it has a slot of the queue, and the memory gate admits it. */
import type { Run } from '../../job/job.ts';
import type { JobQueue, JobQueueLimits, JobQueueState, Slot } from './job-queue.ts';
import type { MemoryGate } from './memory-gate.ts';

export interface AdmissionOptions extends JobQueueLimits {
  /** Called for each job that may begin, with its waiting time in milliseconds. */
  readonly onWaited?: (milliseconds: number) => void;
}

interface AdmitJobDependencies {
  readonly queue: JobQueue;
  readonly memoryGate: MemoryGate;
  readonly options: AdmissionOptions;
}

/**
 * Permission for a job to run: a slot of the queue and an admission by the memory gate. `release` gives up both, `yieldSlot` only
 * the slot.
 */
export interface JobAdmission extends Slot {
  /** Gives the slot of the queue to another job while this job is still busy. */
  readonly yieldSlot: () => void;
}

/**
 * Waits until the job may run: until the queue gives it a slot and enough memory is free.
 * @throws Failure unavailable; the signal's reason if it aborts
 */
export async function admitJob(
  run: Run,
  { queue, memoryGate, options }: AdmitJobDependencies,
): Promise<JobAdmission> {
  const began = performance.now();
  const waitedMs = () => performance.now() - began;
  const queueSlot = await run.log.timeStage('wait for a window', async () => {
    run.log.setStageReason(waitReason(queue.state, options));
    const slot = await queue.enter(run.job.account, run.signal);
    try {
      await memoryGate.enter({
        signal: run.signal,
        timeoutMs: options.queueTimeoutMs - waitedMs(),
        onMemoryShortage() {
          run.log.setStageReason('the machine is short of memory');
        },
      });
      return slot;
    } catch (problem) {
      slot.release();
      throw problem;
    }
  });
  options.onWaited?.(waitedMs());
  let isHeld = true;
  return {
    yieldSlot: queueSlot.release,
    release() {
      if (!isHeld) return;
      isHeld = false;
      memoryGate.leave();
      queueSlot.release();
    },
  };
}

function waitReason({ working, waiting }: JobQueueState, { workers }: JobQueueLimits): string {
  if (working < workers) return 'a window was free';
  const otherJobs =
    waiting === 0 ? '' : `, and ${waiting} other job${waiting === 1 ? ' was' : 's were'} waiting`;
  return `${workers === 1 ? 'the only window was' : `all ${workers} windows were`} taken${otherJobs}`;
}
