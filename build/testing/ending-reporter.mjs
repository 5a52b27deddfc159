/**
 * The reporter of the engine suite: writes a line for each test, and exits Electron after the last test; Electron would keep
 * running.
 */

import { app } from 'electron';
import { lineFor } from './tally-reporter.mjs';

const outputDelayMs = 100;
const noTestMs = 2000;

/**
 * Detects the last test by counting the top-level tests, which are all registered before the first one ends.
 * @param {AsyncIterable<{ type: string, data: any }>} events of node:test
 */
export default async function* endElectron(events) {
  let open = 0;
  let failed = false;
  // Node.js emits this event before it exits. node:test then writes its summary and ends the stream of events.
  const finish = () => process.emit('beforeExit', 0);
  const noTest = setTimeout(finish, noTestMs);
  for await (const { type, data } of events) {
    yield lineFor(type, data);
    if (type === 'test:fail' && !data.todo) failed = true;
    if (data.nesting !== 0) continue;
    if (type === 'test:enqueue') clearTimeout(noTest);
    if (type === 'test:enqueue') open += 1;
    if (type === 'test:pass' || type === 'test:fail') open -= 1;
    if (open === 0 && (type === 'test:pass' || type === 'test:fail')) setImmediate(finish);
  }
  // Leaves time for pending output to be written.
  setTimeout(() => app.exit(failed ? 1 : 0), outputDelayMs);
}
