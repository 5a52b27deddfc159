import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ServiceHost, InstalledServiceState } from '../../../../main/cli/service/service-host.ts';
import { systemd } from '../../../../main/cli/service/systemd.ts';
import { waitUntilResponding } from '../../../../main/cli/service/run.ts';
import { samplePlan } from './sample-plan.ts';

const data = mkdtempSync(join(tmpdir(), 'platen-up-'));
writeFileSync(join(data, 'config.json'), '{ "port": 0 }');
after(() => {
  rmSync(data, { recursive: true });
});

function hostReporting(...states: readonly InstalledServiceState[]): ServiceHost {
  let checks = 0;
  const last: InstalledServiceState = states.at(-1) ?? { running: false, description: '' };
  return { ...systemd, state: () => Promise.resolve(states[(checks += 1) - 1] ?? last) };
}

const off = { running: false, description: 'not running' };
const on = { running: true, description: 'running' };

test('a start succeeds even if the process does not run immediately', async () => {
  await waitUntilResponding({ host: hostReporting(off, off, off, on), plan: samplePlan({ data }) });
});

test('a failed start is reported with the command that shows the log', async () => {
  await assert.rejects(
    waitUntilResponding({ host: hostReporting(off), plan: samplePlan({ data }) }),
    /platen did not respond and is not running; see: journalctl -u platen/,
  );
});
