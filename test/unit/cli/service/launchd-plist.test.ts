import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import {
  launchdLabel,
  launchdPlist,
  oneTimePlist,
  oneTimeState,
} from '../../../../main/cli/service/launchd.ts';
import { planInNote } from '../../../../main/cli/service/plan.ts';
import { samplePlan, namesThatNeedQuoting } from './sample-plan.ts';

const isMissing = spawnSync('python3', ['--version']).error !== undefined;
const skip = isMissing && 'python3, which reads property lists, is missing';

/** Parses the property list with Python. */
function parsed(plist: string): Record<string, unknown> {
  const program = 'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
  const { stdout, stderr, status } = spawnSync('python3', ['-c', program], {
    input: plist,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The keys of launchd.plist(5) that the service uses, with their types. */
const keys: Readonly<Record<string, string>> = {
  Label: 'string',
  UserName: 'string',
  ProgramArguments: 'array',
  EnvironmentVariables: 'dictionary',
  WorkingDirectory: 'string',
  RunAtLoad: 'boolean',
  LaunchOnlyOnce: 'boolean',
  KeepAlive: 'dictionary',
  ThrottleInterval: 'number',
  ExitTimeOut: 'number',
  ProcessType: 'string',
  SoftResourceLimits: 'dictionary',
  HardResourceLimits: 'dictionary',
  Umask: 'number',
  StandardOutPath: 'string',
  StandardErrorPath: 'string',
};

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'dictionary' : typeof value;
}

test('the property list has only keys that launchd knows, with values of their types', { skip }, () => {
  for (const scope of ['system', 'user'] as const) {
    const list = parsed(launchdPlist(samplePlan({ scope })));
    for (const [key, value] of Object.entries(list)) assert.equal(typeOf(value), keys[key], key);
    assert.deepEqual(Object.keys(list.KeepAlive as object), ['SuccessfulExit']);
    assert.ok(['Background', 'Standard', 'Adaptive', 'Interactive'].includes(String(list.ProcessType)));
    assert.ok(Number(list.ExitTimeOut) > 30 + 5);
  }
});

test('a daemon runs as the user in its property list, an agent as the logged-in user', { skip }, () => {
  const daemon = parsed(launchdPlist(samplePlan({ as: '_platen' })));
  assert.equal(daemon.UserName, '_platen');
  assert.equal((daemon.EnvironmentVariables as Record<string, unknown>).PLATEN_TRAY, 'off');
  const agent = parsed(launchdPlist(samplePlan({ scope: 'user' })));
  assert.deepEqual([agent.UserName, agent.EnvironmentVariables], [undefined, undefined]);
  assert.notEqual(launchdLabel(samplePlan()), launchdLabel(samplePlan({ scope: 'user' })));
});

test('the command, the folders and the note in a property list may contain any characters', { skip }, () => {
  for (const name of namesThatNeedQuoting) {
    const plan = samplePlan({ data: `/Volumes/${name}`, program: [`/Applications/${name}/platen`] });
    const plist = launchdPlist(plan);
    const list = parsed(plist);
    assert.deepEqual(list.ProgramArguments, [...plan.program, 'serve', '--data', plan.data]);
    assert.equal(list.WorkingDirectory, plan.data);
    assert.equal(planInNote(plist)?.data, plan.data);
  }
});

test('the check of a daemon runs once as the same user, and its output goes to a file', { skip }, () => {
  const plan = samplePlan({ as: '_platen' });
  const list = parsed(oneTimePlist(plan, ['self-test'], '/data/out.txt'));
  for (const [key, value] of Object.entries(list)) assert.equal(typeOf(value), keys[key], key);
  assert.equal(list.UserName, '_platen');
  assert.equal(list.KeepAlive, undefined);
  assert.notEqual(list.Label, launchdLabel(plan));
  assert.deepEqual(list.ProgramArguments, [...plan.program, 'self-test']);
  assert.deepEqual([list.StandardOutPath, list.StandardErrorPath], ['/data/out.txt', '/data/out.txt']);
});

test('the end of a check is read from the output of launchctl', () => {
  // launchctl print of macOS 14, shortened.
  const running =
    'system/platen.check = {\n\tstate = running\n\tpid = 812\n\tlast exit code = (never exited)\n}';
  assert.equal(oneTimeState(running).hasEnded, false);
  assert.equal(oneTimeState('').hasEnded, false);
  const ended = 'system/platen.check = {\n\tstate = not running\n\tlast exit code = 1\n}';
  assert.deepEqual(oneTimeState(ended), { hasEnded: true, code: 1, description: 'exit code 1' });
  const killed = '{\n\tstate = not running\n\tlast terminating signal = Abort trap: 6\n}';
  assert.deepEqual(oneTimeState(killed), { hasEnded: true, code: undefined, description: 'Abort trap: 6' });
});
