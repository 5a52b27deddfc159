/**
 * The function that a thread of a pool exports. Import this file only in the code of threads, and before libraries that use
 * WebAssembly.
 */
import { guarded, reportGrowth } from './thread-guard.ts';

/**
 * Returns the function of a worker, changed so that it does not answer while a thread is about to end (thread-guard.ts), and reports
 * when the thread should be replaced because of its memory.
 */
export function workerFunction<Task, Answer>(
  work: (task: Task) => Answer | Promise<Answer>,
): (task: Task) => Promise<Answer> {
  return async (task) => {
    try {
      return await work(task);
    } finally {
      if (memoryBytes() - bytesAtStart > maxGrowthBytes) reportGrowth();
      guarded(() => {});
    }
  };
}

// Libraries keep memory after a task: memory of WebAssembly never shrinks, and pdf-lib keeps every name and reference it has read.

/** The memories that WebAssembly modules share between threads, such as that of sharp. V8 does not count them. */
const sharedMemories: WebAssembly.Memory[] = [];

WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
  construct(constructor, [descriptor]: [WebAssembly.MemoryDescriptor]) {
    const memory = new constructor(descriptor);
    if (descriptor.shared === true) sharedMemories.push(memory);
    return memory;
  },
});

/** A thread that uses so much more memory than at its start is replaced. */
const maxGrowthBytes = 300e6;

const bytesAtStart = memoryBytes();

/** Returns the memory of this thread. */
function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return sharedMemories.reduce((sum, { buffer }) => sum + buffer.byteLength, heapUsed + external);
}
