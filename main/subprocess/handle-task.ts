/** The entry point of a subprocess program: reads one task from stdin and writes one answer to stdout. */
import { readFileSync } from 'node:fs';
import { decodeMessage, encodeMessage, type TaskMessage } from './run-in-subprocess.ts';

/** Reads the task, calls `work`, and writes the answer. Call this only once. An error in `work` ends the program with code 1. */
export function handleTask(work: (task: TaskMessage) => TaskMessage | Promise<TaskMessage>): void {
  const { stdout } = process;
  const task = decodeMessage(readFileSync(0));
  void Promise.resolve(work(task)).then((answer) => {
    for (const part of encodeMessage(answer)) stdout.write(part);
  });
}
