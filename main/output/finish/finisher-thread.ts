/**
 * The code of a finishing thread: receives a task and returns its result. A Failure is returned as plain data, because messages
 * between threads do not keep its class.
 */
import { answering } from '../../async/thread-guard.ts';
import { transferred } from '../../async/threads.ts';
import { Failure } from '../../failure/failure.ts';
import type { FailureKind } from '../../failure/catalogue.ts';
import { finishPdf } from './finish-pdf.ts';
import type { FinishResult, FinishTask } from './finish-task.ts';
import { repackPng } from './repack-png.ts';

export type ThreadTask = { readonly finish: FinishTask } | { readonly repack: Uint8Array };

export type ThreadResult = (
  | { readonly finished: FinishResult }
  | { readonly repacked: Uint8Array }
  | { readonly kind: FailureKind; readonly message: string }
) & {
  /** Present if the thread uses so much memory that another should replace it. */
  readonly hasGrown?: true;
};

export default answering(work);

async function work(task: ThreadTask): Promise<ThreadResult> {
  const result = await resultOf(task);
  const answer =
    memoryBytes() - bytesAtStart > maxGrowthBytes ? { ...result, hasGrown: true as const } : result;
  return transferred(answer, 'finished' in result ? [result.finished.bytes] : []);
}

async function resultOf(task: ThreadTask): Promise<ThreadResult> {
  try {
    if ('repack' in task) return { repacked: repackPng(task.repack) };
    return { finished: await finishPdf(task.finish) };
  } catch (problem) {
    if (problem instanceof Failure) return { kind: problem.kind, message: problem.message };
    throw problem;
  }
}

// Libraries keep memory after a task: memory of WebAssembly never shrinks, and pdf-lib keeps every name and reference it has read.

const maxGrowthBytes = 300e6;

/** The memories that WebAssembly modules share between threads, such as that of sharp. V8 does not count them. */
const sharedMemories: WebAssembly.Memory[] = [];

WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
  construct(constructor, [descriptor]: [WebAssembly.MemoryDescriptor]) {
    const memory = new constructor(descriptor);
    if (descriptor.shared === true) sharedMemories.push(memory);
    return memory;
  },
});

const bytesAtStart = memoryBytes();

/** Returns the memory of this thread. */
function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return sharedMemories.reduce((sum, { buffer }) => sum + buffer.byteLength, heapUsed + external);
}
