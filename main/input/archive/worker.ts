/** The program that unpacks: one archive, one answer. Compiled to .build/archive-worker.cjs. */
import { answerErrand } from '../../apart/apart-program.ts';
import { Failure } from '../../failure/failure.ts';
import type { Extracted } from './extracted.ts';
import { unpack, type Order } from './unpack.ts';

/** What comes back. Neither a Failure nor an error's code survives the way between processes. */
export type Answer =
  | { readonly kind: 'extracted'; readonly extracted: Extracted }
  | { readonly kind: 'refused'; readonly sentence: string; readonly cause: string }
  | { readonly kind: 'fault'; readonly code: string | undefined; readonly stack: string };

// seek-bzip says `new Buffer`, and outside node_modules, as a part of this bundle, that would be a warning a job.
process.noDeprecation = true;

answerErrand(async ({ about }) => {
  const nothing = new Uint8Array();
  const answer = await unpack(about as Order).then(
    (extracted): Answer => ({ kind: 'extracted', extracted }),
    whatWentWrong,
  );
  return { about: answer, bytes: nothing };
});

function whatWentWrong(error: unknown): Answer {
  const stack = error instanceof Error ? String(error.stack) : String(error);
  if (!(error instanceof Failure)) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    return { kind: 'fault', code, stack };
  }
  const cause = error.cause instanceof Error ? String(error.cause.stack) : '';
  return { kind: 'refused', sentence: error.message, cause };
}
