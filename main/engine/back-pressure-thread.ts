/**
 * The thread that asks the main thread for an answer all the time, and stops the renderers of jobs while none comes.
 * Compiled to .build/back-pressure-thread.cjs; see back-pressure.ts.
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { answersPlace, phasePlace, phases, readProcesses } from './back-pressure-state.ts';

/** All in milliseconds. Between an answer and the next question. */
const rest = 8;
/** Without an answer for so long, more has come than the main thread can take. */
const late = 8;
/** A renderer is let go on for a moment after that, whatever may wait for it. */
const longestStop = 1000;
const moment = 50;

const state = workerData as Int32Array<SharedArrayBuffer>;

while (phase() !== phases.ended) {
  Atomics.wait(state, phasePlace, phases.resting);
  if (phase() !== phases.watching) continue;
  ask();
  Atomics.wait(state, phasePlace, phases.watching, rest);
}

function phase(): number {
  return Atomics.load(state, phasePlace);
}

function ask(): void {
  const before = Atomics.load(state, answersPlace);
  const answered = (patience: number) => Atomics.wait(state, answersPlace, before, patience) !== 'timed-out';
  parentPort?.postMessage(undefined);
  for (let patience = late; !answered(patience); patience = moment) {
    const stopped = readProcesses(state).filter(stop);
    answered(longestStop);
    for (const id of stopped) signal(id, 'SIGCONT');
  }
}

/** False where it has gone, or stands still already: whoever has stopped it lets it go on. */
function stop(id: number): boolean {
  return !isStopped(id) && signal(id, 'SIGSTOP');
}

/** Linux alone tells (proc(5): the state follows the name, which may hold anything). */
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
