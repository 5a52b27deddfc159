import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { project } from '../../support/service/service.ts';

const skip = process.platform === 'win32' && 'the scripts are for dpkg';

describe('the scripts of the Debian package', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-debian-'));
  const log = join(folder, 'calls');
  after(() => {
    rmSync(folder, { recursive: true });
  });

  /** Runs a script with the arguments of dpkg, and returns how it called `platen`. */
  function callsOf(script: string, words: readonly string[], platenExitCode = 0): string[] {
    const program = join(folder, 'platen');
    writeFileSync(program, `#!/bin/sh\necho "$@" >> '${log}'\nexit ${platenExitCode}\n`);
    chmodSync(program, 0o755);
    rmSync(log, { force: true });
    const text = readFileSync(join(project, 'build', 'packaging', 'debian', script), 'utf8');
    const inFolder = text.replaceAll('/opt/platen', folder).replaceAll(/systemctl|useradd/g, 'true');
    const { status, stderr } = spawnSync('sh', ['-c', inFolder, script, ...words], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  }

  test('stop everything before an upgrade, and start it again afterwards', () => {
    assert.deepEqual(callsOf('prerm', ['upgrade', '2.0']), ['service suspend']);
    assert.deepEqual(callsOf('postinst', ['configure', '1.0']), ['service resume']);
  });

  test('start everything again after a failed upgrade or removal', () => {
    for (const action of ['abort-upgrade', 'abort-remove'])
      assert.deepEqual(callsOf('postinst', [action, '2.0']), ['service resume']);
  });

  test('remove the services with the package, and keep the data', () => {
    assert.deepEqual(callsOf('prerm', ['remove']), ['service remove']);
  });

  test('do not stop dpkg if Platen reports a failure', () => {
    assert.deepEqual(callsOf('prerm', ['upgrade', '2.0'], 1), ['service suspend']);
    assert.deepEqual(callsOf('prerm', ['remove'], 1), ['service remove']);
    assert.deepEqual(callsOf('postinst', ['configure', '1.0'], 1), ['service resume']);
  });
});
