import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { findServices, launchdPlist, startJob, stopJob } from '../../../../main/cli/service/launchd.ts';
import type { runProgram } from '../../../../main/launch/run-program.ts';
import { samplePlan } from './sample-plan.ts';

/** What `launchctl print` reports in each state of a job, shortened. */
const printed = {
  running: '\tstate = running\n\tpid = 812\n\tlast exit code = (never exited)\n',
  'waits to start again': '\tstate = spawn scheduled\n\tlast exit code = 78: EX_CONFIG\n',
  'has ended': '\tstate = not running\n\tlast exit code = 0\n',
};

/**
 * A launchd with one job, which ends and is unloaded a moment after the command. Keeps the commands that change the job, and
 * refuses those that launchd refuses.
 */
function fakeLaunchd(initial: keyof typeof printed | 'is not loaded') {
  let state = initial;
  let next = initial;
  const commands: string[] = [];
  const run: typeof runProgram = ([, action = '']) => {
    const answer = (isAccepted: boolean, out = '') =>
      Promise.resolve({ code: isAccepted ? 0 : 1, out, err: isAccepted ? '' : `${action} is refused` });
    if (action === 'print') {
      const current = state;
      state = next;
      return current === 'is not loaded' ? answer(false) : answer(true, printed[current]);
    }
    commands.push(action);
    if (action === 'kill') {
      if (state !== 'running') return answer(false);
      next = 'has ended';
    } else if (action === 'bootout') next = 'is not loaded';
    else if (state === 'is not loaded') {
      state = 'running';
      next = 'running';
    } else return answer(false);
    return answer(true);
  };
  return { run, commands, state: () => state };
}

describe('a service on macOS', () => {
  const plan = samplePlan();

  test('is restarted as a new job, because launchd delays the restart of a job that has just started', async () => {
    const { run, commands, state } = fakeLaunchd('running');
    await stopJob(plan, run);
    assert.equal(state(), 'is not loaded');
    await startJob(plan, run);
    assert.equal(state(), 'running');
    assert.deepEqual(commands, ['kill', 'bootout', 'bootstrap', 'kickstart']);
  });

  test('that waits to start again after a failure is stopped too', async () => {
    const { run, state } = fakeLaunchd('waits to start again');
    await stopJob(plan, run);
    assert.equal(state(), 'is not loaded');
  });

  test('is started from every state, and keeps running if it runs', async () => {
    for (const initial of ['waits to start again', 'has ended', 'is not loaded'] as const) {
      const { run, commands, state } = fakeLaunchd(initial);
      await startJob(plan, run);
      assert.equal(state(), 'running', initial);
      assert.deepEqual(commands.slice(-2), ['bootstrap', 'kickstart'], initial);
    }
    const { run, commands } = fakeLaunchd('running');
    await startJob(plan, run);
    assert.deepEqual(commands, []);
  });

  test('reports why launchd does not load it', async () => {
    const { run } = fakeLaunchd('is not loaded');
    const refuse: typeof runProgram = (command, options) =>
      command[1] === 'bootstrap'
        ? Promise.resolve({ code: 5, out: '', err: 'Bootstrap failed: 5: Input/output error' })
        : run(command, options);
    await assert.rejects(startJob(plan, refuse), /Bootstrap failed: 5/);
  });
});

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
    const found = await findServices(join(home, 'Platen.app'), [], fakeLaunchd('is not loaded').run);
    assert.deepEqual(
      found.map(({ label }) => label),
      ['test.agent'],
    );
  });

  test('count as started if they run or wait to start again, so that an upgrade stops them', async () => {
    const isStarted = async (state: Parameters<typeof fakeLaunchd>[0]) => {
      const [service] = await findServices(join(home, 'Platen.app'), [], fakeLaunchd(state).run);
      return service?.isStarted;
    };
    assert.equal(await isStarted('running'), true);
    assert.equal(await isStarted('waits to start again'), true);
    assert.equal(await isStarted('has ended'), false);
    assert.equal(await isStarted('is not loaded'), false);
  });
});
