/** Divides long work of the main thread into steps, between which the event loop continues with other requests. */
import { setImmediate } from 'node:timers/promises';

/** Resolves in the iteration of the event loop that runs the last waiting step. */
let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a later iteration of the event loop. Each iteration resolves one call only. With setImmediate alone, Node would run the
 * steps of a hundred requests in the same iteration, before it reads from any socket.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}

/** Resolves in the next iteration of the event loop. Only for steps during which others wait, such as those of a transaction. */
export function promptTurn(): Promise<void> {
  return setImmediate();
}

/** The longest time in milliseconds without a return to the event loop. */
const maxBlockingMs = 5;

/**
 * Yields the values, and returns to the event loop regularly. Examining thousands of pages or rows takes a second, during which the
 * service must answer other requests.
 */
export async function* yieldingToEventLoop<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  let began = performance.now();
  for await (const value of values) {
    if (performance.now() - began > maxBlockingMs) {
      await nextTurn();
      began = performance.now();
    }
    yield value;
  }
}
