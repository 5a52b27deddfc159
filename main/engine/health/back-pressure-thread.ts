/**
 * A worker thread that pings the main thread continuously and stops the renderers of jobs while no answer comes.
 * It is compiled to .build/back-pressure-thread.cjs; see back-pressure.ts.
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { answersIndex, phaseIndex, phases, readProcesses } from './back-pressure-state.ts';

/** Pause between an answer and the next ping. */
const pingIntervalMs = 8;
/** The main thread is overloaded when it has not answered a ping after this time. */
const overloadedAfterMs = 8;
/** A stopped renderer is resumed after this time even if no answer came, because the main thread may be waiting for it. */
const maxStopMs = 1000;
/** How long a renderer that was resumed without an answer runs before it is stopped again. */
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
    const stopped = readProcesses(state).filter(stop);
    waitForAnswer(maxStopMs);
    for (const id of stopped) signal(id, 'SIGCONT');
  }
}

/** Returns false if the process has ended or another process stopped it; the one that stopped it also resumes it. */
function stop(id: number): boolean {
  return !isStopped(id) && signal(id, 'SIGSTOP');
}

/** Works on Linux only. The state follows the process name, which may contain any character (proc(5)). */
function isStopped(id: number): boolean {
  try {
    return /^.*\) [Tt] /s.test(readFileSync(`/proc/${id}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

function signal(id: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(id, name);
  } catch {
    return false;
  }
}
