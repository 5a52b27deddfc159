/** What runs below a process. Linux only. */
import { readFileSync } from 'node:fs';

/** Command lines of all processes below one. */
export function descendants(pid: number): string[] {
  return childrenOf(pid).flatMap((child) => [
    read(`/proc/${child}/cmdline`).replaceAll('\0', ' '),
    ...descendants(child),
  ]);
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
}

/** Empty for a process that has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
