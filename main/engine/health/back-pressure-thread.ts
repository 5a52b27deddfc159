/**
 * A worker thread that pings the main thread continuously, and stops the renderers of jobs while the main thread does not answer.
 * Windows cannot stop a process; there, the renderers get the lowest priority, so that the main thread runs before them. Compiled
 * to .build/back-pressure-thread.cjs; see back-pressure.ts.
 */
import { readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { answersIndex, phaseIndex, phases, readProcesses } from './back-pressure-state.ts';

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
    const stopped = readProcesses(state).filter(stop);
    waitForAnswer(maxStopMs);
    for (const id of stopped) resume(id);
  }
}

/** Stops a process. Returns false if the process has ended, or if another process has stopped it and will resume it. */
function stop(id: number): boolean {
  if (process.platform === 'win32') return changePriority(id, constants.priority.PRIORITY_LOW);
  return !isStopped(id) && signal(id, 'SIGSTOP');
}

function resume(id: number): void {
  if (process.platform === 'win32') changePriority(id, constants.priority.PRIORITY_NORMAL);
  else signal(id, 'SIGCONT');
}

/**
 * Returns whether a process is stopped; always false on other systems than Linux. In `/proc/<id>/stat` the state follows the
 * process name, which may contain any character (proc(5)).
 */
function isStopped(id: number): boolean {
  try {
    return /^.*\) [Tt] /s.test(readFileSync(`/proc/${id}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Returns false if the process has ended or has that priority already. */
function changePriority(id: number, priority: number): boolean {
  try {
    if (getPriority(id) === priority) return false;
    setPriority(id, priority);
    return true;
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
