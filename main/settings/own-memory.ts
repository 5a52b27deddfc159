/** Returns the memory available to this process. */
import { totalmem } from 'node:os';

/** In bytes. A container may have less memory than its machine. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
