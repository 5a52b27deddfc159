/** A worker that makes a guarded call of some milliseconds, and says in shared memory when the call begins and ends. */
import { answering, guarded } from '../../../main/async/thread-guard.ts';

export interface GuardedTask {
  readonly state: SharedArrayBuffer;
  readonly milliseconds: number;
  /** The call uses memory until the thread ends. */
  readonly exhaustsMemory?: true;
}

export default answering(({ state, milliseconds, exhaustsMemory }: GuardedTask): void => {
  const cells = new Int32Array(state);
  guarded(() => {
    Atomics.store(cells, 0, 1);
    const end = performance.now() + milliseconds;
    const kept: number[][] = [];
    while (exhaustsMemory === true) kept.push(new Array<number>(10_000).fill(kept.length + 0.5));
    while (performance.now() < end);
    Atomics.store(cells, 1, 1);
  });
});
