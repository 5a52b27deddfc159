/** The subprocess that unpacks one archive and sends the result. Compiled to .build/archive-worker-program.cjs. */
import { handleTask } from '../../subprocess/handle-task.ts';
import { Failure } from '../../failure/failure.ts';
import type { UnpackedArchive } from './tree.ts';
import { unpack, type UnpackTask } from './unpack.ts';

/** The result as plain data: sending an error to another process would lose a Failure's class and an error's `code`. */
export type UnpackAnswer =
  | { readonly kind: 'unpacked'; readonly unpacked: UnpackedArchive }
  | { readonly kind: 'refused'; readonly sentence: string; readonly cause: string }
  | { readonly kind: 'fault'; readonly code: string | undefined; readonly stack: string };

// seek-bzip uses `new Buffer`. In this bundle, outside node_modules, that would log a warning for each job.
process.noDeprecation = true;

handleTask(async ({ json }) => {
  const answer = await unpack(json as UnpackTask).then(
    (unpacked): UnpackAnswer => ({ kind: 'unpacked', unpacked }),
    answerOfError,
  );
  return { json: answer, bytes: new Uint8Array() };
});

function answerOfError(error: unknown): UnpackAnswer {
  const stack = error instanceof Error ? String(error.stack) : String(error);
  if (!(error instanceof Failure)) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    return { kind: 'fault', code, stack };
  }
  const cause = error.cause instanceof Error ? String(error.cause.stack) : '';
  return { kind: 'refused', sentence: error.message, cause };
}
