import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import { send } from '../support/convert.ts';
import { isAlive, processesOf } from '../support/processes.ts';
import { startService, type Service } from '../support/service.ts';

describe('A frozen browser', { concurrency: 2 }, () => {
  for (const kind of ['network', 'gpu-process'] as const)
    test(`is detected and replaced, with a frozen ${kind}`, async () => {
      await using service = await startService({ flags: ['--job-timeout', '4', '--workers', '2'] });
      await sendUntil(service, (status) => status === 200);
      const frozen = processesOf(service, kind);
      assert.ok(frozen.length > 0);
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
      await sendUntil(service, () => !frozen.some(isAlive));
      await sendUntil(service, (status) => status === 200);
      assert.equal(service.process.exitCode, null);
    });
});

/** Milliseconds. The usual time is 70 s; a browser without a GPU needs 15 s of it for each window that fails to open. */
const longest = 240_000;

/** Repeats the request until it succeeds, like real clients. @throws Error with the service log after the time-out */
async function sendUntil(service: Service, isDone: (status: number) => boolean): Promise<void> {
  const image = { text: '<script></script><p>page', output_format: 'png' };
  const began = performance.now();
  for (;;) {
    // The service does not answer while it restarts, which is another way to recover.
    const answer = await send(service, image).catch(() => after(200, undefined));
    if (isDone(answer?.status ?? 0)) return;
    if (performance.now() - began > longest)
      throw new Error(`the service does not recover: ${String(answer?.body)}\n${service.log().slice(-1000)}`);
  }
}
