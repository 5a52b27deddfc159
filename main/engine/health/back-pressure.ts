/**
 * Stops renderers that send more messages than the main thread can process, until the main thread has caught up. Each message of a
 * renderer (a request, a console line, a history entry) is a task of the main thread, which runs its tasks in order. While 20,000
 * tasks are queued, requests wait for seconds and every timer fires late. Therefore a worker thread checks that the main thread
 * answers, and sends SIGSTOP to the renderers of jobs while it does not (docs/decisions/0027-health.md). On Windows, which has no
 * SIGSTOP, it lowers their priority. Does not use Electron.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  answersIndex,
  newState,
  phaseIndex,
  phases,
  readProcesses,
  writeProcesses,
} from './back-pressure-state.ts';
import { resumeProcess } from './stop-process.ts';
import { withTimeout } from '../../async/signals.ts';
import { startSubprocess } from '../../subprocess/start.ts';

export interface BackPressure extends AsyncDisposable {
  /**
   * Updates the list of renderers that may be stopped. Call this when a window receives a job and when it is returned to the pool.
   */
  readonly update: () => void;
}

interface BackPressureOptions {
  /**
   * Returns the process ids of the renderers that may be stopped; 0 for a lost renderer. The thread sleeps while the list is empty.
   */
  readonly processes: () => readonly number[];
  /** Called if the thread fails. The service continues without back-pressure. */
  readonly onLost: (problem: Error) => void;
  /** Path of the thread's compiled script. */
  readonly program?: string;
}

/** Maximum time that shutdown waits for the thread to end. */
const threadEndTimeoutMs = 1000;

export function openBackPressure(options: BackPressureOptions): BackPressure {
  const { processes, onLost, program = join(import.meta.dirname, 'back-pressure-thread.cjs') } = options;
  const state = newState();
  const thread = new Worker(program, { workerData: state });
  const ended = new Promise<void>((resolve) => {
    thread.once('exit', () => {
      resolve();
    });
  });
  const setPhase = (phase: number) => {
    Atomics.store(state, phaseIndex, phase);
    Atomics.notify(state, phaseIndex);
  };
  const update = () => {
    const ids = processes();
    // A signal to process 0 would go to the service's own process group.
    writeProcesses(
      state,
      ids.filter((id) => id > 0),
    );
    setPhase(ids.length > 0 ? phases.watching : phases.idle);
  };
  const answer = () => {
    Atomics.add(state, answersIndex, 1);
    Atomics.notify(state, answersIndex);
  };
  const resumeShell = process.platform === 'win32' ? undefined : resumeRenderersAtExit(process.pid);
  const resumeAll = () => {
    for (const id of readProcesses(state)) resumeProcess(id);
  };
  thread.on('message', () => {
    update();
    answer();
  });
  thread.once('error', onLost).once('exit', resumeAll).unref();
  return {
    update,
    async [Symbol.asyncDispose]() {
      setPhase(phases.ended);
      answer();
      await withTimeout(threadEndTimeoutMs, ended).catch(() => {});
      resumeShell?.[Symbol.dispose]();
    },
  };
}

/**
 * Resumes the renderers that back-pressure has stopped (SIGSTOP) if the service dies. A stopped renderer cannot detect that the
 * service has died, and would never end. After SIGKILL the service cannot resume them itself. Therefore a child shell waits for its
 * stdin to close and sends SIGCONT to the process group. The launcher starts the service as the leader of `group`; if no such group
 * exists, nothing happens. POSIX only.
 */
export function resumeRenderersAtExit(group: number): Disposable {
  const program = 'read -r end; kill -s CONT -- "-$1"';
  const shell = startSubprocess('/bin/sh', ['-c', program, 'sh', String(group)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Errors are ignored: without the shell, renderers stay stopped only if the service is ended by SIGKILL.
  shell.on('error', () => {});
  shell.stdin?.on('error', () => {});
  shell.unref();
  return {
    [Symbol.dispose]() {
      shell.stdin?.destroy();
    },
  };
}
