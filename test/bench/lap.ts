/** One lap: callers who each convert the same document again and again for some time. Runs in the benchmark and inside the loop's Electron. */

export interface Load {
  readonly callers: number;
  /** A caller begins no further job after so long; each does at least one. */
  readonly milliseconds: number;
}

export interface Lap {
  /** Milliseconds of each job. */
  readonly times: readonly number[];
  /** Milliseconds from the first job's beginning to the last one's end. */
  readonly took: number;
}

/** `job` is told which caller it is for, from 0. @throws what a job throws */
export async function runLap(
  job: (caller: number) => Promise<unknown>,
  { callers, milliseconds }: Load,
): Promise<Lap> {
  const began = performance.now();
  const times: number[] = [];
  const call = async (caller: number) => {
    do {
      const start = performance.now();
      await job(caller);
      times.push(performance.now() - start);
    } while (performance.now() - began < milliseconds);
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return { times, took: performance.now() - began };
}
