/** Reads the CPU time of a candidate's processes from /proc. Linux only. */
import { readFileSync } from 'node:fs';
import { openGroup } from '../soak/processes.ts';

export interface GroupTime {
  /** Returns the CPU time so far in milliseconds, including ended processes whose parents have waited for them. */
  readonly now: () => number;
}

/** Measures a process and all its descendants, except an X server. */
export function openGroupTime(pid: number): GroupTime {
  const group = openGroup(pid);
  return {
    now: () =>
      group
        .processes()
        .filter(({ kind }) => kind !== 'Xvfb')
        .reduce((sum, process) => sum + timeOf(process.pid), 0),
  };
}

/** Milliseconds per clock tick: USER_HZ is 100 on all Linux architectures that Electron supports. */
const tick = 10;

/**
 * Returns the CPU time of a process and of its ended children in milliseconds: utime, stime, cutime and cstime, fields 14 to 17 of
 * /proc/<pid>/stat (proc(5)). The program name before them may contain any character.
 */
function timeOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tick, 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended. The kernel adds its time to the process that waited for it.
    return '';
  }
}
