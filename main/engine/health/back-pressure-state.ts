/** The Int32Array that the main thread shares with the back-pressure thread, and its layout. */

/** Index of a counter that the main thread increments to answer a ping. */
export const answersIndex = 0;
/** Index of the current phase, one of `phases`. */
export const phaseIndex = 1;
/** Index of the number of process ids that follow. */
const countIndex = 2;
const firstProcessIndex = 3;

/** Maximum number of process ids: above the highest possible number of windows with a job. */
const maxProcesses = 256;

/** `idle`: no window has a job. `watching`: at least one window has a job. `ended`: the service shuts down. */
export const phases = { idle: 0, watching: 1, ended: 2 } as const;

export function newState(): Int32Array<SharedArrayBuffer> {
  const length = firstProcessIndex + maxProcesses;
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
}

export function writeProcesses(state: Int32Array, ids: readonly number[]): void {
  const written = ids.slice(0, maxProcesses);
  for (const [index, id] of written.entries()) Atomics.store(state, firstProcessIndex + index, id);
  Atomics.store(state, countIndex, written.length);
}

export function readProcesses(state: Int32Array): readonly number[] {
  return [...state.subarray(firstProcessIndex, firstProcessIndex + Atomics.load(state, countIndex))];
}
