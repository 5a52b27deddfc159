import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { systemd } from '../../../../main/cli/service/systemd.ts';
import {
  checkAsService,
  rejectFailure,
  WindowServerMissing,
} from '../../../../main/cli/service/service-check.ts';
import type { OneTimeRun, ServiceHost } from '../../../../main/cli/service/service-host.ts';
import { samplePlan } from './sample-plan.ts';

const passed: OneTimeRun = {
  code: 0,
  output: 'All checks passed; it took 4.0 s.',
  description: 'exit code 0',
};
const failed: OneTimeRun = {
  code: 1,
  output: 'failed  fonts  12 ms  Liberation Sans is missing\n\n1 of 14 checks failed; it took 4.0 s.',
  description: 'exit code 1',
};

describe('before a service is installed,', () => {
  const data = mkdtempSync(join(tmpdir(), 'platen-check-'));
  after(() => {
    rmSync(data, { recursive: true });
  });
  const plan = samplePlan({ data, as: '_platen' });
  const calls: (readonly string[])[] = [];
  const hostWith = (run: OneTimeRun): ServiceHost => ({
    ...systemd,
    runOnce(checkedPlan, args) {
      calls.push(args);
      mkdirSync(join(checkedPlan.data, 'service-check'));
      writeFileSync(join(checkedPlan.data, 'service-check', 'version.json'), '{}');
      return Promise.resolve(run);
    },
  });

  const check = (run: OneTimeRun, checked = plan, isNewDataFolder = false) =>
    checkAsService({ host: hostWith(run), plan: checked, isNewDataFolder });

  test('its user runs the self-test in a folder that is removed afterwards', async () => {
    await check(passed);
    assert.deepEqual(calls.at(-1), ['self-test', '--data', join(data, 'service-check')]);
    assert.equal(existsSync(join(data, 'service-check')), false);
  });

  test('a failed self-test refuses the installation with its report and leaves nothing', async () => {
    await assert.rejects(check(failed), (problem: Error) => {
      assert.match(problem.message, /_platen/);
      assert.match(problem.message, /Liberation Sans is missing/);
      return !(problem instanceof WindowServerMissing);
    });
    assert.equal(existsSync(join(data, 'service-check')), false);
  });

  test('a failed self-test keeps the accounts of an earlier installation, and removes a new data folder', async () => {
    const accounts = join(data, 'accounts.sqlite');
    writeFileSync(accounts, 'accounts');
    await assert.rejects(check(failed));
    assert.equal(readFileSync(accounts, 'utf8'), 'accounts');
    rmSync(accounts);
    const newData = join(data, 'new');
    mkdirSync(newData);
    writeFileSync(join(newData, 'config.json'), '{}');
    await assert.rejects(check(failed, samplePlan({ data: newData, as: '_platen' }), true));
    assert.equal(existsSync(newData), false);
  });

  test('a user service is not checked, because it runs like the command itself', async () => {
    const before = calls.length;
    await check(failed, samplePlan({ data, scope: 'user' }));
    assert.equal(calls.length, before);
  });

  test('a missing window server is recognised on macOS only, by the signal that ended Electron', () => {
    const aborted: OneTimeRun = {
      code: 1,
      output: 'platen: the service ended: SIGABRT.',
      description: 'exit code 1',
    };
    const isMissing = (problem: unknown) => problem instanceof WindowServerMissing;
    assert.throws(() => {
      rejectFailure(plan, aborted, 'darwin');
    }, isMissing);
    assert.throws(
      () => {
        rejectFailure(plan, aborted, 'win32');
      },
      (problem) => !isMissing(problem),
    );
    assert.throws(
      () => {
        rejectFailure(plan, failed, 'darwin');
      },
      (problem) => !isMissing(problem),
    );
  });
});
