/** The entry point of a subprocess program: reads one task from stdin and writes one answer to stdout. */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { decodeMessage, encodeMessage, type TaskMessage } from './run-in-subprocess.ts';

/** Reads the task, calls `work`, and writes the answer. Call this only once. An error in `work` ends the program with code 1. */
export function handleTask(work: (task: TaskMessage) => TaskMessage | Promise<TaskMessage>): void {
  const { stdout } = process;
  const task = decodeMessage(readFileSync(0));
  // On other systems, the launcher kills the process group of the service. Starting a thread takes about 20 ms.
  if (process.platform === 'win32') endWithParent();
  void Promise.resolve(work(task)).then((answer) => {
    for (const part of encodeMessage(answer)) stdout.write(part);
  });
}

/**
 * Ends this process after its parent has ended, even if its main thread runs an endless loop. On Windows, the launcher cannot
 * find the children of a service that has crashed.
 */
export function endWithParent(parentPid = process.ppid): void {
  const source = `
    const { workerData: parentPid } = require('node:worker_threads');
    setInterval(() => {
      try {
        process.kill(parentPid, 0);
      } catch {
        process.kill(process.pid, 'SIGKILL');
      }
    }, 1000);`;
  new Worker(source, { eval: true, workerData: parentPid }).unref();
}
