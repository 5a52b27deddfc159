/** Runs a program twice as a subprocess, and leaves its spare process behind. */
import { runInSubprocess } from '../../../main/subprocess/run-in-subprocess.ts';

const task = {
  program: process.argv[2] ?? '',
  heapBytes: 100_000_000,
  timeoutMs: 60_000,
  keepsSpare: true,
  createTimeoutError: () => new Error('too late'),
  json: {},
  bytes: new Uint8Array(),
} as const;

const { signal } = new AbortController();
void runInSubprocess(task, signal).then(() => runInSubprocess(task, signal));
