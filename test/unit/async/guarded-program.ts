/** A worker that makes a guarded call of some milliseconds, and says in shared memory when the call begins and ends. */
import { answering, guarded } from '../../../main/async/thread-guard.ts';

interface GuardedTask {
  readonly state: SharedArrayBuffer;
  readonly milliseconds: number;
}

export default answering(({ state, milliseconds }: GuardedTask): void => {
  const cells = new Int32Array(state);
  guarded(() => {
    Atomics.store(cells, 0, 1);
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
    Atomics.store(cells, 1, 1);
  });
});
