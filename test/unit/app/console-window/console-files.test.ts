import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { consoleFile } from '../../../../main/app/console-window/console-files.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'platen-files-'));
  mkdirSync(join(root, 'renderer', 'assets'), { recursive: true });
  writeFileSync(join(root, 'secret.html'), 'secret');
  for (const name of ['index.html', 'assets/a-1.js', 'assets/worker.mjs', 'assets/a.wasm', '.hidden'])
    writeFileSync(join(root, 'renderer', name), name);
  symlinkSync(join(root, 'secret.html'), join(root, 'renderer', 'link.html'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const get = (path: string) => consoleFile(join(root, 'renderer'), `platen-console://app/${path}`);

describe('The files of the console window', () => {
  test('are served with their types, and / serves index.html', async () => {
    const types = {
      '': 'text/html',
      'assets/a-1.js': 'javascript',
      'assets/worker.mjs': 'javascript',
      'assets/a.wasm': 'application/wasm',
    };
    for (const [path, type] of Object.entries(types)) {
      const answer = await get(path);
      assert.equal(answer.status, 200);
      assert.ok(answer.headers.get('content-type')?.includes(type), path);
      assert.equal(await answer.text(), path === '' ? 'index.html' : path);
    }
    assert.equal(await (await get('?a=b#c')).text(), 'index.html');
  });

  test('have a content security policy and nosniff', async () => {
    for (const path of ['', 'assets/a-1.js', 'missing']) {
      const { headers } = await get(path);
      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self' /);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
  });

  test('are only visible, regular files of the folder; any other path is a 404', async () => {
    for (const path of [
      '%2e%2e/secret.html',
      '..%2fsecret.html',
      '..%5csecret.html',
      'link.html',
      '.hidden',
      'assets',
      'assets//a-1.js',
      '%00',
      '%',
      'C:/x',
      'index.html::$DATA',
      'missing.html',
    ])
      assert.equal((await get(path)).status, 404, path);
  });

  test('are replaced with a page that names the build command while they are not built', async () => {
    rmSync(join(root, 'renderer'), { recursive: true });
    assert.match(await (await get('')).text(), /npm start/);
  });
});
