import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { killTree } from '../../../main/launch/service-process.ts';
import { waitForEmptyGroup } from '../../support/service/process-group.ts';

/** Starts a shell with a child process. */
async function startShell() {
  const parent = spawn('sh', ['-c', 'sleep 1000 & echo born; wait'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(parent.stdout, 'data');
  return parent;
}

describe('A process', { skip: process.platform !== 'linux' }, () => {
  test('is killed with all its descendants', async () => {
    const parent = await startShell();
    const exited = once(parent, 'exit');
    killTree(parent);
    assert.deepEqual(await exited, [null, 'SIGKILL']);
    await waitForEmptyGroup(parent.pid ?? 0);
  });

  test('that has ended is killed with its remaining children', async () => {
    const parent = await startShell();
    const exited = once(parent, 'exit');
    parent.kill('SIGKILL');
    await exited;
    killTree(parent);
    await waitForEmptyGroup(parent.pid ?? 0);
  });

  test('that never started, or has no children left, is ignored', async () => {
    const missing = spawn('/no/such/program', { detached: true });
    await once(missing, 'error');
    killTree(missing);
    const brief = spawn('true', { detached: true });
    await once(brief, 'exit');
    killTree(brief);
  });
});
