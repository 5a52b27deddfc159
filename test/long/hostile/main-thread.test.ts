/** No step of the service's main thread takes much longer than 50 ms of processor time, whatever a caller sends. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { submitted, waitForEnd } from '../../support/service/asynchronous-job.ts';
import { convert, demo } from '../../support/service/convert.ts';
import { startWatchedService, type WatchedService } from '../../support/service/main-thread.ts';
import { largeInputs } from './main-thread-inputs.ts';

const limitMs = 50;
/** A single measurement on a machine with neighbours is up to half too high. What this test is for takes many times the limit. */
const tolerance = 1.5;

/** The processor time of `calibrate` on the machine for which the limit is meant, in milliseconds. */
const referenceMs = 8;

const calibrationText = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, text: `text ${n}` })));

/** Returns how many times slower than the reference this machine is; at least 1. Neighbours on the same core slow it down too. */
function slowness(): number {
  const began = process.cpuUsage();
  JSON.parse(calibrationText);
  const { user, system } = process.cpuUsage(began);
  return Math.max(1, (user + system) / 1000 / referenceMs);
}

describe('The main thread stays responsive during', { skip: process.platform !== 'linux' }, () => {
  let service: WatchedService;
  before(async () => {
    service = await startWatchedService({ flags: ['--workers', '2'] });
    // The first jobs load libraries and compile functions.
    for (let count = 0; count < 3; count += 1)
      await convert(service, { text: '<p>x<script></script>', debug_log: true });
    const batch = { text: '<p>{{a}}', rows: new File(['a\n1\n2\n'], 'rows.csv') };
    await waitForEnd(service, demo, await submitted(service, demo, batch));
  });
  after(() => service[Symbol.asyncDispose]());

  for (const { what, run, status, chromiumMs } of largeInputs)
    test(what, { timeout: 180_000 }, async () => {
      let answered: number | undefined;
      const [longest] = await service.longestSteps(async () => {
        answered = await run(service);
        // Chromium sends the state of a page, such as the values of its controls, up to a second later.
        if (chromiumMs !== undefined) await pause(2000);
      });
      assert.equal(answered, status);
      assert.ok(longest);
      const limit = Math.round((chromiumMs ?? limitMs) * slowness() * tolerance);
      assert.ok(
        longest.cpuMs <= limit,
        `a step of ${Math.round(longest.cpuMs)} ms, limit ${limit} ms: ${longest.task}: ${longest.stack}`,
      );
    });
});
