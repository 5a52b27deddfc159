/** Waits for a state of a service that can only be polled: files, processes, requests that arrived. */
import { setTimeout as delay } from 'node:timers/promises';

const pollIntervalMs = 10;
const defaultTimeoutMs = 120_000;

/**
 * Polls the condition. A loop over `setImmediate` would keep one of the machine's processors busy.
 * @param what the awaited state, for the error message
 * @throws Error after the timeout, by default two minutes
 */
export async function waitUntil(
  what: string,
  isDone: () => boolean | Promise<boolean>,
  timeoutMs = defaultTimeoutMs,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`);
    await delay(pollIntervalMs);
  }
}
