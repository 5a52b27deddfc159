/**
 * Keeps a process ready for the next task of a program, because starting one takes longer than most tasks. A process still runs only
 * one task. Only programs that were used recently have a spare process.
 */
import type { ChildProcess } from 'node:child_process';

/** Time after the last task of a program for which its spare process is kept. */
const keepMs = 30_000;

/** The spare processes, by a name that describes how they were started, and the timers that end them. */
const spares = new Map<string, { readonly child: ChildProcess; readonly timer: NodeJS.Timeout }>();

/** Removes and returns the spare process of this name; undefined if there is none or it has ended. */
export function takeSpare(name: string): ChildProcess | undefined {
  const spare = spares.get(name);
  if (spare === undefined) return undefined;
  spares.delete(name);
  const { child, timer } = spare;
  clearTimeout(timer);
  if (!isRunning(child)) return undefined;
  for (const handle of handlesOf(child)) handle.ref();
  return child;
}

/** Starts a spare process for the next task, unless there is one. Ignores a process that does not start. */
export function keepSpare(name: string, start: () => ChildProcess): void {
  const spare = spares.get(name);
  if (spare !== undefined && isRunning(spare.child)) {
    spare.timer.refresh();
    return;
  }
  try {
    const child = start();
    child.once('error', () => {});
    // A spare process keeps neither this process running nor a machine busy that no longer needs it.
    for (const handle of handlesOf(child)) handle.unref();
    const timer = setTimeout(() => {
      takeSpare(name)?.kill('SIGKILL');
    }, keepMs).unref();
    spares.set(name, { child, timer });
  } catch {
    // For example for lack of memory. The next task starts its own process, and reports the problem.
  }
}

process.once('exit', () => {
  for (const { child } of spares.values()) child.kill('SIGKILL');
});

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

interface Handle {
  ref(): unknown;
  unref(): unknown;
}

/** The process and its pipes, which are sockets. */
function handlesOf(child: ChildProcess): Handle[] {
  return [child, ...[child.stdin, child.stdout].flatMap((pipe) => (pipe ? [pipe as unknown as Handle] : []))];
}
