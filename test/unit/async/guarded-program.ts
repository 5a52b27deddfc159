/** A worker that makes a guarded call of 300 ms, and says in shared memory when the call begins and ends. */
import { guarded } from '../../../main/async/thread-guard.ts';

export default function work({ state }: { readonly state: SharedArrayBuffer }): void {
  const cells = new Int32Array(state);
  guarded(() => {
    Atomics.store(cells, 0, 1);
    const end = performance.now() + 300;
    while (performance.now() < end);
    Atomics.store(cells, 1, 1);
  });
}
