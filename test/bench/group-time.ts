/** The CPU time of a candidate's processes, from the kernel. Linux only. */
import { readFileSync } from 'node:fs';
import { openGroup } from '../soak/processes.ts';

export interface GroupTime {
  /** Milliseconds so far of all its processes, including ended ones that were waited for. */
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

/** Milliseconds per clock tick: USER_HZ is 100 on all Linux architectures of Electron. */
const tick = 10;

/** proc(5): utime, stime, cutime and cstime are fields 14 to 17; the name before them may contain any character. */
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
    // The process has ended; its time is added to the process that waited for it.
    return '';
  }
}
