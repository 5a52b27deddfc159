/** Ends a process that was started `detached`, and what it has started. */
import { spawn, type ChildProcess } from 'node:child_process';

/**
 * At once. Also after its end, for what may be left of its group; on Windows, where there are no groups and the tree of a
 * process that has gone is not known any more, Chromium's helpers end by themselves when their channel to it breaks.
 */
export function killTree(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    if (child.exitCode === null && child.signalCode === null) killWindowsTree(child, pid);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

/** Where taskkill is missing, or refuses, the process itself is ended at least. */
function killWindowsTree(child: ChildProcess, pid: number): void {
  const killer = spawn('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  killer.once('error', () => child.kill('SIGKILL'));
  killer.once('exit', (code) => {
    if (code !== 0) child.kill('SIGKILL');
  });
}
