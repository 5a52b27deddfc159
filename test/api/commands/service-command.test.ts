import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import { send } from '../../support/service/convert.ts';
import { descendantsOf, waitForExit } from '../../support/service/processes.ts';
import { runPlaten, temporaryFolder } from '../../support/service/service.ts';

const skip = process.platform !== 'linux' && 'the unit is for systemd, which only Linux has';

const data = temporaryFolder();
after(() => {
  rmSync(data, { recursive: true, force: true });
});

const platen = (...words: string[]) => runPlaten(words);

function valuesOf(unit: string, key: string): string[] {
  return [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

describe('The unit that platen service install would write', { skip }, () => {
  test('works as under systemd: minimal environment, no display, exit code 0 after SIGTERM', async () => {
    assert.equal((await platen('config', 'set', 'port', '0', '--data', data)).code, 0);
    const { code, out: unit, err } = await platen('service', 'install', '--print', '--data', data);
    assert.equal(code, 0, err);
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${valuesOf(unit, 'ExecStart')[0] ?? ''}`], {
      encoding: 'utf8',
    });
    const [program = '', ...parameters] = words.split('\n').slice(0, -1);
    const home = join(data, 'home');
    const child = spawn(program, parameters, {
      // Only the variables that systemd and the unit set, without those of this shell.
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        LANG: 'C.UTF-8',
        HOME: home,
      },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const found = /Platen listening on (\S+)/.exec(line)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', (ended) => {
        reject(new Error(`the service ended with exit code ${String(ended)}`));
      });
    });
    const answer = await send({ url }, { text: '<p>Hello</p>' });
    assert.deepEqual([answer.status, answer.body.subarray(0, 5).toString()], [200, '%PDF-']);
    const family = descendantsOf(child.pid ?? 0);
    assert.ok(family.length > 2, 'Electron and the X server are not running');
    // KillMode=mixed: systemd signals only the main process.
    child.kill('SIGTERM');
    assert.equal(await exited, 0);
    await Promise.all(family.map(waitForExit));
  });

  test('is not installed, and nothing is written, without systemd or permission', async (context) => {
    if (existsSync('/run/systemd/system') && process.getuid?.() === 0) {
      context.skip('the test would install a service on this machine');
      return;
    }
    const { code, err } = await platen('service', 'install', '--data', join(data, 'never'));
    assert.equal(code, 1);
    assert.match(err, /--print shows the unit|needs root: sudo .* service install --data/);
    assert.equal(existsSync(join(data, 'never')), false);
  });
});

describe('platen service', () => {
  test('status exits with 3 if nothing is installed, and names the command that installs it', async () => {
    const { code, err } = await platen('service', 'status', '--name', 'platen-test-none');
    assert.equal(code, 3);
    assert.match(err, /no service platen-test-none is installed; install it: .*service install/);
  });

  test('install refuses settings with which a start would fail, and writes nothing', async () => {
    const folder = join(data, 'never');
    const { code, err } = await platen('service', 'install', '--data', folder, '--port', 'high');
    assert.deepEqual([code, err.includes("--port: the value 'high' is not allowed")], [2, true]);
    assert.equal((await platen('service', 'install', '--prot', '1')).code, 2);
    assert.equal(existsSync(folder), false);
  });
});
