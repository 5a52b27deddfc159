/** One problem of a request. All problems of a request become one Failure. */
import type { FailureKind } from '../failure/catalogue.ts';

export interface Problem {
  readonly kind: FailureKind;
  readonly sentence: string;
}

/** Shortens a value for a message: one line, at most 80 characters. */
export function shortened(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim();
  // Counts code points, so that no surrogate pair is cut in two.
  const points = Array.from(line.slice(0, 200));
  return points.length > 80 ? `${points.slice(0, 77).join('')}...` : points.join('');
}
