/** The thread that finishes PDFs: one order in, one answer out. A Failure does not survive the way between threads. */
import { Failure } from '../../failure/failure.ts';
import type { FailureKind } from '../../failure/catalogue.ts';
import { finishPdf } from './finish-pdf.ts';
import type { Finished, FinishOrder } from './order.ts';

export type FinishAnswer =
  { readonly finished: Finished } | { readonly kind: FailureKind; readonly sentence: string };

export default async function work(order: FinishOrder): Promise<FinishAnswer> {
  try {
    return { finished: await finishPdf(order) };
  } catch (problem) {
    if (problem instanceof Failure) return { kind: problem.kind, sentence: problem.message };
    throw problem;
  }
}
