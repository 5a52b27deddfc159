/**
 * The ends of jobs: each is written at once, or kept and tried again until it can be, because what a job holds is free only
 * when its end is written.
 */
import { whenFree } from './busy.ts';

/** Disposed, it tries once more what is kept; the next start ends the rest as interrupted. */
export interface Endings extends AsyncDisposable {
  /** Resolves when the end is written, or kept for later. `write` may be called again after it succeeded. */
  readonly write: (job: string, write: Write) => Promise<void>;
}

type Write = () => Promise<unknown>;

const retryEvery = 1000;

/** `report` is told of each end that could not be written at once. */
export function openEndings(report: (problem: unknown) => void): Endings {
  const kept = new Set<Write>();
  let timer: NodeJS.Timeout | undefined;
  const writeKept = async () => {
    for (const write of kept) {
      await write();
      kept.delete(write);
    }
  };
  const tryLater = () => {
    timer = setTimeout(() => {
      writeKept().catch(tryLater);
    }, retryEvery);
    timer.unref();
  };
  return {
    async write(job, write) {
      try {
        await whenFree(write);
      } catch (cause) {
        report(new Error(`the end of job ${job} cannot be written`, { cause }));
        if (kept.size === 0) tryLater();
        kept.add(write);
      }
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await whenFree(writeKept).catch(report);
    },
  };
}
