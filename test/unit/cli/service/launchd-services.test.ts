import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launchd, launchdPlist } from '../../../../main/cli/service/launchd.ts';
import { samplePlan } from './sample-plan.ts';

const skip = process.platform === 'win32' && 'the home folder of a test is in HOME';

describe('the services of an installation on macOS', { skip }, () => {
  const home = mkdtempSync(join(tmpdir(), 'platen-agents-'));
  const realHome = process.env.HOME;
  before(() => {
    process.env.HOME = home;
  });
  after(() => {
    process.env.HOME = realHome;
    rmSync(home, { recursive: true });
  });

  test('are found beside a property list that this user cannot read', async () => {
    const agents = join(home, 'Library', 'LaunchAgents');
    mkdirSync(agents, { recursive: true });
    // Root can read every file, but no one can read a folder as a file.
    mkdirSync(join(agents, 'a.locked.plist'));
    const agent = samplePlan({ scope: 'user', name: 'test', program: [join(home, 'Platen.app', 'platen')] });
    writeFileSync(join(agents, 'test.agent.plist'), launchdPlist(agent));
    writeFileSync(join(agents, 'z.other.plist'), launchdPlist(samplePlan({ scope: 'user' })));
    const found = await launchd.findServices(join(home, 'Platen.app'), []);
    assert.deepEqual(
      found.map(({ label }) => label),
      ['test.agent'],
    );
  });
});
