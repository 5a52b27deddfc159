/**
 * The code of a finishing thread: receives a task and returns its result. A Failure is returned as plain data, because messages
 * between threads do not keep its class.
 */
import { workerFunction } from '../../async/worker-function.ts';
import { transferred } from '../../async/threads.ts';
import { Failure } from '../../failure/failure.ts';
import type { FailureKind } from '../../failure/catalogue.ts';
import { finishPdf } from './finish-pdf.ts';
import type { FinishResult, FinishTask } from './finish-task.ts';
import { repackPng } from './repack-png.ts';

export type ThreadTask = { readonly finish: FinishTask } | { readonly repack: Uint8Array };

export type ThreadResult =
  | { readonly finished: FinishResult }
  | { readonly repacked: Uint8Array }
  | { readonly kind: FailureKind; readonly message: string };

export default workerFunction(work);

async function work(task: ThreadTask): Promise<ThreadResult> {
  const result = await resultOf(task);
  return transferred(result, 'finished' in result ? [result.finished.bytes] : []);
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
