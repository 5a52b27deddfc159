/**
 * Lets no page send more than the service can take. What a renderer sends (a request, a line of the console, a step of its history)
 * is a task of the main thread, which takes them in the order they come: behind 20,000 nobody is answered for seconds, and nothing
 * here can be done in time. So a thread watches whether the main thread answers, and stops the renderers of jobs by a
 * signal until it has caught up (docs/decisions/0027-health.md). Windows has no such signal. Plain Node.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  answersPlace,
  newState,
  phasePlace,
  phases,
  readProcesses,
  writeProcesses,
} from './back-pressure-state.ts';
import { letGoAtEnd } from './let-go.ts';
import { within } from './within.ts';

export interface BackPressure extends AsyncDisposable {
  /** To be called when a window has got its job, and when it comes back. */
  readonly update: () => void;
}

export interface BackPressureOptions {
  /** Processes that may be stopped, 0 for one that is lost; while there is none, nothing is watched. */
  readonly processes: () => readonly number[];
  /** Called when nothing is watched any more, and the service goes on without. */
  readonly onLost: (problem: Error) => void;
  /** The thread's file. */
  readonly program?: string;
}

/** Milliseconds for the thread to end in. */
const patience = 1000;

export function openBackPressure(options: BackPressureOptions): BackPressure {
  const { processes, onLost, program = join(import.meta.dirname, 'back-pressure-thread.cjs') } = options;
  if (process.platform === 'win32') return none;
  const state = newState();
  const thread = new Worker(program, { workerData: state });
  const ended = new Promise<void>((resolve) => {
    thread.once('exit', () => {
      resolve();
    });
  });
  const enter = (phase: number) => {
    Atomics.store(state, phasePlace, phase);
    Atomics.notify(state, phasePlace);
  };
  const update = () => {
    const ids = processes();
    // To 0 a signal is one to ourselves.
    writeProcesses(
      state,
      ids.filter((id) => id > 0),
    );
    enter(ids.length > 0 ? phases.watching : phases.resting);
  };
  const answer = () => {
    Atomics.add(state, answersPlace, 1);
    Atomics.notify(state, answersPlace);
  };
  const lettingGo = letGoAtEnd(process.pid);
  const letGo = () => {
    for (const id of readProcesses(state)) goOn(id);
  };
  thread.on('message', () => {
    update();
    answer();
  });
  thread.once('error', onLost).once('exit', letGo).unref();
  return {
    update,
    async [Symbol.asyncDispose]() {
      enter(phases.ended);
      answer();
      await within(patience, ended).catch(() => {});
      lettingGo[Symbol.dispose]();
    },
  };
}

function goOn(id: number): void {
  try {
    process.kill(id, 'SIGCONT');
  } catch {
    // It has gone.
  }
}

const none: BackPressure = { update() {}, async [Symbol.asyncDispose]() {} };
