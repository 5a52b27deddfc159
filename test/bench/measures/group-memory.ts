/** Measures the memory of a candidate's processes. Linux only. */
import { memoryOf, openGroup } from '../../soak/processes.ts';

/** Returns the sum of the processes' PSS in bytes, without the X server. @throws Error if no process runs */
export function groupMemory(pid: number): number {
  const sizes = openGroup(pid)
    .processes()
    .filter(({ kind }) => kind !== 'Xvfb')
    .map((process) => memoryOf(process.pid)?.shared ?? 0);
  const sum = sizes.reduce((all, size) => all + size, 0);
  if (sum === 0)
    throw new Error(`process ${pid} has no memory: it does not exist, or its memory cannot be read`);
  return sum;
}
