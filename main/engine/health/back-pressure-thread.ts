/**
 * A worker thread that pings the main thread continuously, and stops the renderers of jobs while the main thread does not answer.
 * Compiled to .build/back-pressure-thread.cjs; see back-pressure.ts.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { answersIndex, phaseIndex, phases, readProcesses } from './back-pressure-state.ts';
import { resumeProcess, stopProcess } from './stop-process.ts';

/** Pause between an answer and the next ping. */
const pingIntervalMs = 8;
/** The main thread counts as overloaded if it has not answered a ping after this time. */
const overloadedAfterMs = 8;
/**
 * A stopped renderer is resumed after this time even if no answer came, because the main thread may be waiting for that renderer.
 */
const maxStopMs = 1000;
/** Time that a renderer runs after it was resumed without an answer, before it is stopped again. */
const resumeMs = 50;

const state = workerData as Int32Array<SharedArrayBuffer>;

while (phase() !== phases.ended) {
  Atomics.wait(state, phaseIndex, phases.idle);
  if (phase() !== phases.watching) continue;
  ping();
  Atomics.wait(state, phaseIndex, phases.watching, pingIntervalMs);
}

function phase(): number {
  return Atomics.load(state, phaseIndex);
}

function ping(): void {
  const answersBefore = Atomics.load(state, answersIndex);
  const waitForAnswer = (timeoutMs: number) =>
    Atomics.wait(state, answersIndex, answersBefore, timeoutMs) !== 'timed-out';
  parentPort?.postMessage(undefined);
  for (let timeoutMs = overloadedAfterMs; !waitForAnswer(timeoutMs); timeoutMs = resumeMs) {
    const stopped = readProcesses(state).filter(stopProcess);
    waitForAnswer(maxStopMs);
    for (const id of stopped) resumeProcess(id);
  }
}
