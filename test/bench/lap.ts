/** One lap: parallel callers convert the same document repeatedly for some time. Runs in the benchmark and in the loop's Electron. */

export interface Load {
  readonly callers: number;
  /** A caller starts no further job after this time; each caller runs at least one. */
  readonly milliseconds: number;
}

export interface Lap {
  /** Milliseconds of each job. */
  readonly times: readonly number[];
  /** Milliseconds from the start of the first job to the end of the last one. */
  readonly took: number;
}

/** `job` gets the number of its caller, from 0. @throws Error if a job throws */
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
