/** Owns the count and the end of the engine suite: Electron never runs out of work by itself, so the last test must end it. */

import { app } from 'electron';
import { lineFor } from './tally-reporter.mjs';

const SETTLING_MS = 100;
const NO_TEST_MS = 2000;

/**
 * Watches top-level tests come and go; they are all registered before the first one ends.
 * @param {AsyncIterable<{ type: string, data: any }>} events of node:test
 */
export default async function* endElectron(events) {
  let [open, failed] = [0, false];
  // What a plain Node does when nothing is left to do; node:test then makes its summary and closes the events.
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
  // The report on the screen may still be on its way.
  setTimeout(() => app.exit(failed ? 1 : 0), SETTLING_MS);
}
