import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFaultDetector } from '../../../../main/engine/health/fault-detector.ts';
import { BrowserFault, outputFailed } from '../../../../main/engine/renderer-loss.ts';
import { Failure, outOfResources } from '../../../../main/failure/failure.ts';

const { signal } = new AbortController();

/** Returns the faults that are reported when jobs fail with these errors, one after the other. */
async function faultsAfter(...errors: readonly Error[]): Promise<readonly string[]> {
  const faults: string[] = [];
  const detector = openFaultDetector((why) => faults.push(why));
  for (const error of errors) await assert.rejects(detector.observe(signal, Promise.reject(error)), error);
  return faults;
}

const cause = { problem: 'net::ERR_FAILED' };

test('a browser that fails to open a window, print or capture is reported at the first failure', async () => {
  const fault = new BrowserFault('no window could be opened');
  assert.deepEqual(await faultsAfter(new Failure('unavailable', 'Try again.', { cause: fault })), [
    'no window could be opened',
  ]);
  assert.deepEqual(await faultsAfter(outputFailed('Too complex.', new Error('Printing failed'))), [
    'Chromium failed to print or capture a page',
  ]);
});

test('pages that are too complex never count as browser faults', async () => {
  const excess = [
    new Failure('tooComplex', 'It is larger than a page may be.', { cause }),
    new Failure('tooComplex', 'It needs more memory.', { cause: new Error('oom') }),
    new Failure('tooComplex', 'It is larger than an output may be.'),
  ];
  assert.deepEqual(await faultsAfter(...excess, ...excess), []);
});

test('jobs without a free window or disk space never count as browser faults', async () => {
  const busy = new Failure('unavailable', 'All windows are busy.', { retryAfter: 1 });
  const full = outOfResources(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  assert.deepEqual(await faultsAfter(busy, full, busy, full), []);
});

test('any other fault is reported only when three jobs in a row end with a fault or time out', async () => {
  const timedOut = new Failure('timedOut', 'The job ran out of time.');
  const refused = new Failure('pageNotLoaded', 'It did not answer.', { cause });
  assert.deepEqual(await faultsAfter(timedOut, new Error('a fault'), refused, timedOut, timedOut), []);
  assert.equal((await faultsAfter(timedOut, new Error('a fault'), timedOut)).length, 1);
});
