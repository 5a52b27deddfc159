/**
 * Stops and resumes other processes. Windows cannot stop a process; there, a stopped process gets the lowest priority, so that the
 * service runs before it. Does not use Electron.
 */
import { readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Stops a process; on Windows, lowers its priority. Returns false if the process has ended, or if another process has stopped it
 * and will resume it.
 */
export function stopProcess(id: number): boolean {
  if (process.platform === 'win32') return changePriority(id, constants.priority.PRIORITY_LOW);
  return !isStopped(id) && signal(id, 'SIGSTOP');
}

/** Resumes a process that `stopProcess` has stopped. Does nothing if the process has ended. */
export function resumeProcess(id: number): void {
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
