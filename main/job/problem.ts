/** Something wrong with a request, before it becomes a Failure together with the others. */
import type { FailureKind } from '../failure/catalogue.ts';

export interface Problem {
  readonly kind: FailureKind;
  readonly sentence: string;
}

/** A value as it may stand in a message: one line, and not too long. */
export function shortened(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim();
  // By code points: half of a surrogate pair is no text.
  const points = Array.from(line.slice(0, 200));
  return points.length > 80 ? `${points.slice(0, 77).join('')}...` : points.join('');
}
