/** The subprocess that converts one PDF. */
import { handleTask } from '../../subprocess/handle-task.ts';
import { plainPdf, TooComplex } from './plain-pdf.ts';
import type { UploadProblem, UploadedPdfAnswer, UploadedPdfTask } from './task.ts';

handleTask(async ({ json, bytes }) => {
  const answer = (value: UploadedPdfAnswer, pdf: Uint8Array = new Uint8Array()) => ({
    json: value,
    bytes: pdf,
  });
  try {
    const plain = await plainPdf(bytes, json as UploadedPdfTask);
    return answer({ objects: plain.objects }, plain.bytes);
  } catch (problem) {
    return answer({ problem: kindOf(problem), cause: String(problem) });
  }
});

function kindOf(problem: unknown): UploadProblem {
  if (problem instanceof TooComplex) return 'too complex';
  return String(problem).includes('NEEDS PASSWORD') ? 'needs a password' : 'damaged';
}
