/** A lap: parallel callers convert the same document repeatedly. Runs in the benchmark and in the programs of the candidates. */

export interface Load {
  readonly callers: number;
  /** The time after which callers start no more jobs. Each caller runs at least one job. */
  readonly milliseconds: number;
}

export interface Lap {
  /** The duration of each job in milliseconds. */
  readonly times: readonly number[];
  /** Milliseconds from the start of the first job to the end of the last one. */
  readonly took: number;
}

/** Runs a lap. `job` gets the number of its caller, starting at 0. @throws Error if a job throws */
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
