import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { systemdUnit } from '../../../../main/cli/service/systemd.ts';
import { samplePlan, namesThatNeedQuoting } from './sample-plan.ts';

const root = mkdtempSync(join(tmpdir(), 'platen-unit-'));
after(() => {
  rmSync(root, { recursive: true });
});

const isMissing = spawnSync('systemd-analyze', ['--version']).error !== undefined;
const skip = isMissing && 'systemd-analyze is missing (apt-get install systemd)';

let units = 0;

function unitFile(text: string): string {
  const path = join(root, `platen${(units += 1)}.service`);
  writeFileSync(path, text);
  return path;
}

/** Returns what `systemd-analyze verify` reports about the unit. */
function complaints(text: string, ...flags: string[]): string {
  const path = unitFile(text);
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...flags, path], { encoding: 'utf8' });
  return (stdout + stderr)
    .split('\n')
    .filter((line) => line.includes(root) || line.includes(`platen${units}.service`))
    .join('\n');
}

function linesOf(text: string, key: string): string[] {
  return [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** Splits the command of a unit into words with a shell, which treats these quotes like systemd. */
function words(unit: string): string[] {
  const line = linesOf(unit, 'ExecStart')[0] ?? '';
  const output = execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' });
  return output.split('\n').slice(0, -1);
}

const onWindows = process.platform === 'win32' && 'the paths of a unit are those of Linux';

describe('the systemd unit of a service', { skip: onWindows }, () => {
  test('uses only directives and values that systemd knows', { skip }, () => {
    assert.equal(complaints(systemdUnit(samplePlan())), '');
    assert.equal(
      complaints(systemdUnit(samplePlan({ hasPrivilegedPort: true, writable: ['/srv/hot', '/srv/h t'] }))),
      '',
    );
    assert.equal(complaints(systemdUnit(samplePlan({ scope: 'user', data: '/home/a/d' })), '--user'), '');
  });

  test('is rejected by systemd-analyze if a directive or value is misspelt', { skip }, () => {
    const unit = systemdUnit(samplePlan());
    assert.match(complaints(unit.replace('ProtectClock=', 'ProtectKlock=')), /ProtectKlock/);
    assert.match(complaints(unit.replace('@system-service', '@system-servant')), /@system-servant/);
    assert.match(complaints(unit.replace('KillMode=mixed', 'KillMode=mix')), /kill mode|KillMode/i);
  });

  test('accepts any characters in the paths of the program and the data folder', { skip }, () => {
    for (const name of namesThatNeedQuoting) {
      const folder = join(root, name);
      mkdirSync(folder);
      const program = join(folder, 'platen');
      writeFileSync(program, '#!/bin/sh\n');
      chmodSync(program, 0o755);
      const unit = systemdUnit(samplePlan({ program: [program], data: join(folder, 'data') }));
      assert.equal(complaints(unit), '', name);
      // A path with such characters is started through env, which always exists.
      if (/["'\\]/.test(name)) continue;
      const missing = systemdUnit(samplePlan({ program: [`${program}-missing`] }));
      assert.match(complaints(missing), /not executable|No such file/, name);
    }
    for (const name of namesThatNeedQuoting.filter((candidate) => !/[$%]/.test(candidate))) {
      const unit = systemdUnit(samplePlan({ program: ['/bin/echo'], data: `/srv/${name}` }));
      assert.deepEqual(words(unit), ['/bin/echo', 'serve', '--data', `/srv/${name}`]);
    }
  });

  test('has an exposure level of at most 2.5 in systemd-analyze security', { skip }, () => {
    const isConfined = (text: string) => {
      const flags = ['--offline=yes', '--no-pager', '--threshold=25', unitFile(text)];
      return spawnSync('systemd-analyze', ['security', ...flags]).status === 0;
    };
    assert.ok(isConfined(systemdUnit(samplePlan())));
    assert.ok(
      !isConfined(systemdUnit(samplePlan()).replace(/^(SystemCallFilter|CapabilityBoundingSet)=.*$/gm, '')),
    );
  });

  test('hides home folders and temporary files, unless the service needs a folder there', () => {
    const hides = (plan: Parameters<typeof samplePlan>[0]) => {
      const unit = systemdUnit(samplePlan(plan));
      return [...linesOf(unit, 'ProtectHome'), ...linesOf(unit, 'PrivateTmp')];
    };
    assert.deepEqual(hides({}), ['yes', 'yes']);
    assert.deepEqual(hides({ data: '/home/alice/data' }), ['read-only', 'yes']);
    assert.deepEqual(hides({ readPaths: ['/root/.cache/platen/electron'] }), ['read-only', 'yes']);
    assert.deepEqual(hides({ writable: ['/tmp/hot'] }), ['yes']);
    assert.deepEqual(hides({ data: '/homeless/data' }), ['yes', 'yes']);
  });

  test('allows writing only to the data folder and the named folders', () => {
    const otherUnit = systemdUnit(samplePlan({ name: 'other', data: '/var/lib/other' }));
    assert.deepEqual(linesOf(otherUnit, 'StateDirectory'), ['other']);
    assert.deepEqual(linesOf(otherUnit, 'ReadWritePaths'), []);
    const elsewhere = systemdUnit(samplePlan({ data: '/srv/p d', writable: ['/srv/hot', '/srv/h t'] }));
    assert.deepEqual(linesOf(elsewhere, 'StateDirectory'), []);
    assert.deepEqual(linesOf(elsewhere, 'ReadWritePaths'), ['"/srv/p d" -/srv/hot "-/srv/h t"']);
    assert.deepEqual(linesOf(elsewhere, 'ProtectSystem'), ['strict']);
  });

  test('has no capability, except for a port below 1024', () => {
    assert.deepEqual(linesOf(systemdUnit(samplePlan()), 'CapabilityBoundingSet'), ['']);
    assert.deepEqual(linesOf(systemdUnit(samplePlan()), 'AmbientCapabilities'), []);
    const low = systemdUnit(samplePlan({ hasPrivilegedPort: true }));
    assert.deepEqual(linesOf(low, 'AmbientCapabilities'), ['CAP_NET_BIND_SERVICE']);
  });

  test('has a stop timeout longer than the 30 s that running jobs get, plus 5 s', () => {
    const [seconds] = linesOf(systemdUnit(samplePlan()), 'TimeoutStopSec');
    assert.ok(Number(seconds) > 30 + 5);
  });
});
