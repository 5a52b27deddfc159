/** Where jobs come in, and go out: first a place in the pool, then memory on the machine. */
import type { Run } from '../run.ts';
import { openAdmission, type Admission, type AdmissionOptions } from './admission.ts';
import { freeMemoryLately } from './free-memory.ts';
import type { Place, Pool, PoolLimits, PoolState } from './pool.ts';

export interface DoorOptions extends PoolLimits {
  /** Called for each job that gets its window, with the milliseconds it waited. */
  readonly onWaited?: (milliseconds: number) => void;
  /** Bytes that must be free for a job to begin. */
  readonly memoryReserve: number;
  /** As AdmissionOptions.free. */
  readonly freeMemory?: AdmissionOptions['free'];
}

export interface Door {
  readonly pool: Pool;
  readonly admission: Admission;
  readonly options: DoorOptions;
}

/** `shrink` gives memory of windows back that nobody needs now. */
export function openDoor(pool: Pool, shrink: () => Promise<void>, options: DoorOptions): Door {
  const { memoryReserve: reserve, freeMemory: free = freeMemoryLately } = options;
  return { pool, options, admission: openAdmission({ reserve, free, makeRoom: shrink }) };
}

/** One of the places in the pool, and what the job counts for on the machine, which it does until it leaves. */
export interface Entry extends Place {
  /** Leaves the place to another job, while there is still something to do. */
  readonly makeWay: () => void;
}

/** A place for one job. @throws Failure unavailable; the signal's reason */
export async function comeIn(run: Run, { pool, admission, options }: Door): Promise<Entry> {
  const came = performance.now();
  const waited = () => performance.now() - came;
  const place = await run.log.time('wait for a window', async () => {
    run.log.because(turnIn(pool.state, options));
    const free = await pool.enter(run.job.account, run.signal);
    try {
      await admission.enter({
        signal: run.signal,
        longest: options.queueTimeout - waited(),
        onShort() {
          run.log.because('the machine is short of memory');
        },
      });
      return free;
    } catch (problem) {
      free.leave();
      throw problem;
    }
  });
  options.onWaited?.(waited());
  return leaving(place, admission);
}

function leaving(place: Place, admission: Admission): Entry {
  let here = true;
  return {
    makeWay: place.leave,
    leave() {
      if (!here) return;
      here = false;
      admission.leave();
      place.leave();
    },
  };
}

/** Why the wait for a window takes as long as it does. */
function turnIn({ working, waiting }: PoolState, { workers }: PoolLimits): string {
  if (working < workers) return 'a window was free at once';
  const others =
    waiting === 0 ? '' : `, and ${waiting} other job${waiting === 1 ? ' was' : 's were'} waiting`;
  return `${workers === 1 ? 'the only window was' : `all ${workers} windows were`} taken${others}`;
}
