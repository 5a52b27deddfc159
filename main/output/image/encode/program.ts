/** The main file of the encoder process, compiled to .build/image-encoder.cjs. Its standard input is the task as JSON. */
import { text } from 'node:stream/consumers';
import { loadSharp } from '../sharp.ts';
import { encodeTo } from './encode-image.ts';
import type { EncodingTask } from './encoding-task.ts';

// The task arrives only after the capture.
loadSharp();

async function encodeTask(): Promise<void> {
  const { out, ...task } = JSON.parse(await text(process.stdin)) as EncodingTask & { out: string };
  await encodeTo(out, task);
}

encodeTask().catch((problem: unknown) => {
  process.stderr.write(String(problem));
  process.exitCode = 1;
});
