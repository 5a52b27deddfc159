/** The main file of the encoder process, compiled to .build/image-encoder.cjs. Its only argument is the task as JSON. */
import { encodeTo } from './encode-image.ts';
import type { EncodingTask } from './encoding-task.ts';

const { out, ...task } = JSON.parse(process.argv[2] ?? '') as EncodingTask & { out: string };

encodeTo(out, task).catch((problem: unknown) => {
  process.stderr.write(String(problem));
  process.exitCode = 1;
});
