/**
 * A worker that makes a guarded call of some milliseconds or imports a module, and says in shared memory when that begins and ends.
 * Returns the number of its thread.
 */
import { setEnvironmentData, threadId } from 'node:worker_threads';
import { guarded, guardedImport } from '../../../main/async/thread-guard.ts';
import { workerFunction } from '../../../main/async/worker-function.ts';

export interface GuardedTask {
  readonly state: SharedArrayBuffer;
  readonly milliseconds: number;
  /** The thread imports a module instead, which evaluates for some tenths of a second. */
  readonly imports?: true;
  /** The call uses memory until the thread ends. */
  readonly exhaustsMemory?: true;
  /** The thread keeps memory that WebAssembly shares. */
  readonly keepsMemory?: true;
}

const moduleUrl = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;

/** A module that depends on a top-level `await`, and says in shared memory when its evaluation begins and ends. */
const slowModule = moduleUrl(`
  import { getEnvironmentData } from 'node:worker_threads';
  import ${JSON.stringify(moduleUrl('await 0;'))};
  const cells = getEnvironmentData('cells');
  Atomics.store(cells, 0, 1);
  const end = performance.now() + 300;
  while (performance.now() < end);
  Atomics.store(cells, 1, 1);
`);

const memories: WebAssembly.Memory[] = [];

export default workerFunction(async (task: GuardedTask): Promise<number> => {
  const { state, milliseconds, imports, exhaustsMemory, keepsMemory } = task;
  const cells = new Int32Array(state);
  if (imports === true) {
    setEnvironmentData('cells', cells);
    await guardedImport(() => import(slowModule));
    return threadId;
  }
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
