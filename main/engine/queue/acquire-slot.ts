/** Acquires what a job needs to begin: a slot of the queue, then memory on the machine. */
import type { Run } from '../../job/job.ts';
import type { JobQueue, JobQueueLimits, JobQueueState, Slot } from './job-queue.ts';
import type { MemoryGate } from './memory-gate.ts';

export interface SlotOptions extends JobQueueLimits {
  /** Called with the waiting time in milliseconds for each job that gets a slot. */
  readonly onWaited?: (milliseconds: number) => void;
}

interface SlotSource {
  readonly queue: JobQueue;
  readonly memoryGate: MemoryGate;
  readonly options: SlotOptions;
}

/** A slot of the queue and an admission by the memory gate. `release` gives up both, `yieldSlot` only the slot. */
export interface JobSlot extends Slot {
  /** Gives the queue slot to another job while this one is still busy. */
  readonly yieldSlot: () => void;
}

/** Waits for a slot and for memory. @throws Failure unavailable; the signal's reason */
export async function acquireSlot(run: Run, { queue, memoryGate, options }: SlotSource): Promise<JobSlot> {
  const began = performance.now();
  const waitedMs = () => performance.now() - began;
  const slot = await run.log.timeStage('wait for a window', async () => {
    run.log.setStageReason(waitReason(queue.state, options));
    const queueSlot = await queue.enter(run.job.account, run.signal);
    try {
      await memoryGate.enter({
        signal: run.signal,
        timeoutMs: options.queueTimeoutMs - waitedMs(),
        onMemoryShortage() {
          run.log.setStageReason('the machine is short of memory');
        },
      });
      return queueSlot;
    } catch (problem) {
      queueSlot.release();
      throw problem;
    }
  });
  options.onWaited?.(waitedMs());
  let isHeld = true;
  return {
    yieldSlot: slot.release,
    release() {
      if (!isHeld) return;
      isHeld = false;
      memoryGate.leave();
      slot.release();
    },
  };
}

function waitReason({ working, waiting }: JobQueueState, { workers }: JobQueueLimits): string {
  if (working < workers) return 'a window was free';
  const others =
    waiting === 0 ? '' : `, and ${waiting} other job${waiting === 1 ? ' was' : 's were'} waiting`;
  return `${workers === 1 ? 'the only window was' : `all ${workers} windows were`} taken${others}`;
}
