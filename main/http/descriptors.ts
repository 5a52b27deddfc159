/** How many connections a process may take that can open so many files: callers are not to use up what jobs need. */
import { readdirSync, readFileSync } from 'node:fs';

/** No service can do with fewer. */
const fewest = 16;

/** `wished`, or half of the descriptors that are left where that is less: threads, windows and pages need the other half. */
export function affordableConnections(wished: number, left = descriptorsLeft()): number {
  return Math.min(wished, Math.max(fewest, Math.floor(left / 2)));
}

/** Infinity where the system does not tell. */
function descriptorsLeft(): number {
  try {
    const [, most] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(most ?? Infinity) - readdirSync('/proc/self/fd').length;
  } catch {
    return Infinity;
  }
}
