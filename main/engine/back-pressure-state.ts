/** What the main thread and the thread that watches it share: an Int32Array of these places. */

/** How often the main thread has answered. */
export const answersPlace = 0;
/** One of the phases. */
export const phasePlace = 1;
/** How many process ids follow. */
export const countPlace = 2;
const firstProcess = 3;

/** More than there are windows with a job. */
const mostProcesses = 256;

/** No window has a job, some have, the service ends. */
export const phases = { resting: 0, watching: 1, ended: 2 } as const;

export function newState(): Int32Array<SharedArrayBuffer> {
  const places = firstProcess + mostProcesses;
  return new Int32Array(new SharedArrayBuffer(places * Int32Array.BYTES_PER_ELEMENT));
}

export function writeProcesses(state: Int32Array, ids: readonly number[]): void {
  const written = ids.slice(0, mostProcesses);
  for (const [index, id] of written.entries()) Atomics.store(state, firstProcess + index, id);
  Atomics.store(state, countPlace, written.length);
}

export function readProcesses(state: Int32Array): readonly number[] {
  return [...state.subarray(firstProcess, firstProcess + Atomics.load(state, countPlace))];
}
