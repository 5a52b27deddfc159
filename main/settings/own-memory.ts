/** How much memory there is for this process. Plain Node. */
import { totalmem } from 'node:os';

/** Bytes: a container may have less than its machine. */
export function ownMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
