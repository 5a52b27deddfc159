import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { findInstalledService } from '../../../../main/cli/desktop/running-service.ts';
import { planNote, type StoredPlan } from '../../../../main/cli/service/plan.ts';
import type { InstalledServiceState, ServiceHost } from '../../../../main/cli/service/service-host.ts';
import { systemd } from '../../../../main/cli/service/systemd.ts';
import { lockDataFolder } from '../../../../main/launch/data-folder-lock.ts';
import { samplePlan } from '../service/sample-plan.ts';

const root = mkdtempSync(join(tmpdir(), 'platen-click-'));
const ownData = join(root, 'own');
/** A folder that does not exist cannot be read either. */
const unreadable = join(root, 'of the service');

const running: InstalledServiceState = { running: true, description: 'running' };
const stopped: InstalledServiceState = { running: false, description: 'not running' };

/** A service manager with these services. `state` is the state of each; an error if it cannot be read. */
function machineWith(plans: readonly StoredPlan[], state: InstalledServiceState | Error): ServiceHost {
  return {
    ...systemd,
    readInstalled({ scope }) {
      const plan = plans.find((candidate) => candidate.scope === scope);
      return Promise.resolve(plan && `<!-- ${planNote(plan)} -->`);
    },
    state: () => (state instanceof Error ? Promise.reject(state) : Promise.resolve(state)),
  };
}

describe('A click of a user who cannot read the data folder of the installed service', () => {
  let server: Server;
  let url = '';
  before(async () => {
    server = createServer((request, response) => {
      response.end(request.url === '/health' ? '{"status":"alive"}' : '{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
    rmSync(root, { recursive: true });
  });
  const service = (changes: Partial<StoredPlan> = {}) => samplePlan({ data: unreadable, url, ...changes });
  /** Nothing listens at this port, which is reserved. */
  const elsewhere = 'http://127.0.0.1:1';

  test('finds it with the URL of its installation', async () => {
    const found = await findInstalledService(ownData, machineWith([service()], running));
    assert.deepEqual(found, { data: unreadable, url });
  });

  test('finds it by its URL if its state is not known', async () => {
    for (const state of [stopped, new Error('PowerShell failed')]) {
      const found = await findInstalledService(ownData, machineWith([service()], state));
      assert.deepEqual(found, { data: unreadable, url });
      const plan = service({ url: elsewhere });
      assert.equal(await findInstalledService(ownData, machineWith([plan], state)), undefined);
    }
  });

  test('prefers the service of the user, if it runs', async () => {
    const data = mkdtempSync(join(root, 'user'));
    const host = machineWith([service(), samplePlan({ scope: 'user', data })], running);
    assert.deepEqual(await findInstalledService(ownData, host), { data: unreadable, url });
    using lock = lockDataFolder(data);
    assert.ok(lock);
    assert.deepEqual(await findInstalledService(ownData, host), { data, logsFolder: data });
    assert.deepEqual(await findInstalledService(data, host), { data: unreadable, url });
  });
});
