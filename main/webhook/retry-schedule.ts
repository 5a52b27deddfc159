/** When a callback that failed is sent again: ten attempts within about a day. */

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pause after each failed attempt. Their sum is 23.6 hours. */
const pausesMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  3 * hourMs,
  4 * hourMs,
  6 * hourMs,
  7 * hourMs,
];

export const maxAttempts = pausesMs.length + 1;

/** The longest pause that a receiver can ask for, so that all attempts end within about a day. */
const maxRetryAfterMs = hourMs;

/** Pauses differ by up to this part, so that callbacks that failed together are not repeated together. */
const jitter = 0.1;

interface FailedAttempt {
  /** The number of attempts so far, from 1. */
  readonly attempts: number;
  /** What the receiver asked for with Retry-After, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Returns the pause before the next attempt in milliseconds, or undefined after the last one. A longer Retry-After is honoured up to
 * one hour. `random`: from 0 to 1.
 */
export function pauseAfter(
  { attempts, retryAfterMs = 0 }: FailedAttempt,
  random = Math.random(),
): number | undefined {
  const pauseMs = pausesMs[attempts - 1];
  if (pauseMs === undefined) return undefined;
  const jittered = pauseMs * (1 + jitter * (2 * random - 1));
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, maxRetryAfterMs)));
}
