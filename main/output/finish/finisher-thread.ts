/** The finishing thread: one order in, one result out. A Failure is sent as plain data, because messages lose its class. */
import { Failure } from '../../failure/failure.ts';
import type { FailureKind } from '../../failure/catalogue.ts';
import { finishPdf } from './finish-pdf.ts';
import type { Finished, FinishOrder } from './order.ts';
import { repackPng } from './repack-png.ts';

export type ThreadOrder = { readonly finish: FinishOrder } | { readonly repack: Uint8Array };

export type FinishAnswer =
  | { readonly finished: Finished }
  | { readonly repacked: Uint8Array }
  | { readonly kind: FailureKind; readonly sentence: string };

export default async function work(order: ThreadOrder): Promise<FinishAnswer> {
  try {
    return 'finish' in order
      ? { finished: await finishPdf(order.finish) }
      : { repacked: repackPng(order.repack) };
  } catch (problem) {
    if (problem instanceof Failure) return { kind: problem.kind, sentence: problem.message };
    throw problem;
  }
}
