import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import { send } from '../support/service/convert.ts';
import { isAlive, processesOf } from '../support/service/processes.ts';
import { startService, type Service } from '../support/service/service.ts';

describe('A browser', { concurrency: 2 }, () => {
  for (const kind of ['network', 'gpu-process'] as const)
    test(`is replaced if its ${kind === 'network' ? 'network' : 'GPU'} process is frozen`, async () => {
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

/** In milliseconds. The replacement usually takes 70 s; without a GPU process, each window that fails to open takes 15 s. */
const longest = 240_000;

/** Repeats a request, as clients do, until `isDone` accepts the status. @throws Error with the service log after the timeout */
async function sendUntil(service: Service, isDone: (status: number) => boolean): Promise<void> {
  const image = { text: '<script></script><p>page', output_format: 'png' };
  const began = performance.now();
  for (;;) {
    // There is no response while the service restarts, which is another way to recover.
    const answer = await send(service, image).catch(() => after(200, undefined));
    if (isDone(answer?.status ?? 0)) return;
    if (performance.now() - began > longest)
      throw new Error(
        `the service has not recovered: ${String(answer?.body)}\n${service.log().slice(-1000)}`,
      );
  }
}
