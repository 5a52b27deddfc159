import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { send } from '../support/convert.ts';
import { isAlive, processesOf } from '../support/processes.ts';
import { startService } from '../support/service.ts';

describe('A browser that is frozen', { concurrency: 2 }, () => {
  for (const kind of ['network', 'gpu-process'] as const)
    test(
      `in one of its processes (${kind}) is found out, and gets another`,
      { timeout: 240_000 },
      async () => {
        await using service = await startService({ flags: ['--job-timeout', '4', '--workers', '2'] });
        const picture = { text: '<script></script><p>page', output_format: 'png' };
        assert.equal((await send(service, picture)).status, 200);
        const frozen = processesOf(service, kind);
        assert.ok(frozen.length > 0);
        for (const pid of frozen) process.kill(pid, 'SIGSTOP');
        // Callers try again and again, as they do.
        while (frozen.some(isAlive)) await send(service, picture);
        let status = 0;
        while (status !== 200) ({ status } = await send(service, picture));
        assert.equal(service.process.exitCode, null);
      },
    );
});
