/** The memory of a contestant's processes: pages that several have in common are counted once. Linux only. */
import { memoryOf, openGroup } from '../../soak/processes.ts';

/** Bytes, the X server left out. @throws Error when nothing runs */
export function groupMemory(pid: number): number {
  const sizes = openGroup(pid)
    .processes()
    .filter(({ kind }) => kind !== 'Xvfb')
    .map((process) => memoryOf(process.pid)?.shared ?? 0);
  const sum = sizes.reduce((all, size) => all + size, 0);
  if (sum === 0) throw new Error(`process ${pid} has no memory: it does not run, or may not be looked at`);
  return sum;
}
