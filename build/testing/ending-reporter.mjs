/** Counts the tests of the engine suite and ends it: Electron does not exit by itself after the last test. */

import { app } from 'electron';
import { lineFor } from './tally-reporter.mjs';

const SETTLING_MS = 100;
const NO_TEST_MS = 2000;

/**
 * Counts top-level tests; they are all registered before the first one ends.
 * @param {AsyncIterable<{ type: string, data: any }>} events of node:test
 */
export default async function* endElectron(events) {
  let [open, failed] = [0, false];
  // Node emits this event before it exits; node:test then writes its summary and closes the events.
  const finish = () => process.emit('beforeExit', 0);
  const noTest = setTimeout(finish, NO_TEST_MS);
  for await (const { type, data } of events) {
    yield lineFor(type, data);
    if (type === 'test:fail' && !data.todo) failed = true;
    if (data.nesting !== 0) continue;
    if (type === 'test:enqueue') clearTimeout(noTest);
    if (type === 'test:enqueue') open += 1;
    if (type === 'test:pass' || type === 'test:fail') open -= 1;
    if (open === 0 && (type === 'test:pass' || type === 'test:fail')) setImmediate(finish);
  }
  // The output on the screen may still be in progress.
  setTimeout(() => app.exit(failed ? 1 : 0), SETTLING_MS);
}
