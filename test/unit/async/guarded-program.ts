/**
 * A worker that makes a guarded call of some milliseconds, and says in shared memory when the call begins and ends. Returns the number
 * of its thread.
 */
import { threadId } from 'node:worker_threads';
import { guarded } from '../../../main/async/thread-guard.ts';
import { workerFunction } from '../../../main/async/worker-function.ts';

export interface GuardedTask {
  readonly state: SharedArrayBuffer;
  readonly milliseconds: number;
  /** The call uses memory until the thread ends. */
  readonly exhaustsMemory?: true;
  /** The thread keeps memory that WebAssembly shares. */
  readonly keepsMemory?: true;
}

const memories: WebAssembly.Memory[] = [];

export default workerFunction(({ state, milliseconds, exhaustsMemory, keepsMemory }: GuardedTask): number => {
  const cells = new Int32Array(state);
  if (keepsMemory === true)
    memories.push(new WebAssembly.Memory({ initial: 5000, maximum: 5000, shared: true }));
  guarded(() => {
    Atomics.store(cells, 0, 1);
    const end = performance.now() + milliseconds;
    const kept: number[][] = [];
    while (exhaustsMemory === true) kept.push(new Array<number>(10_000).fill(kept.length + 0.5));
    while (performance.now() < end);
    Atomics.store(cells, 1, 1);
  });
  return threadId;
});
