/** The processor time of a contestant's processes, as the kernel counts it. Linux only. */
import { readFileSync } from 'node:fs';
import { openGroup } from '../soak/processes.ts';

export interface GroupTime {
  /** Milliseconds so far of all its processes, those that have ended and were waited for included. */
  readonly now: () => number;
}

/** Of a process and all that descend from it; an X server, which is somebody else's work, is left out. */
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

/** The kernel's clock for this (USER_HZ) has 100 ticks a second on all machines Electron is made for. */
const tick = 10;

/** proc(5): utime, stime, cutime and cstime are fields 14 to 17; the name before them may hold anything. */
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
    // It has ended meanwhile; whoever waited for it has its time.
    return '';
  }
}
