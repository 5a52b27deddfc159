import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { siblingFiles } from '../../../main/input/prepare-source.ts';

describe('Sibling files of a local page', () => {
  const top = mkdtempSync(join(tmpdir(), 'platen-beside-'));
  const root = join(top, 'site');
  after(() => {
    rmSync(top, { recursive: true, force: true });
  });
  mkdirSync(join(root, 'sub', '.git'), { recursive: true });
  for (const path of ['site/a b.css', 'site/sub/c.html', 'site/.env', 'site/sub/.git/config', 'secret.txt'])
    writeFileSync(join(top, path), 'body { color: red }');
  symlinkSync(join(top, 'secret.txt'), join(root, 'out.txt'));
  symlinkSync(top, join(root, 'up'));
  symlinkSync(join(root, 'sub', 'c.html'), join(root, 'in.html'));
  linkSync(join(root, 'a b.css'), join(root, 'second.css'));
  const read = async (path: string) => {
    const file = await siblingFiles(root)(path);
    return file && [file.contentType, file.size];
  };

  test('are found by their paths, with their types', async () => {
    assert.deepEqual(await read('a%20b.css'), ['text/css', 19]);
    assert.deepEqual(await read('sub/c.html'), ['text/html; charset=utf-8', 19]);
    assert.deepEqual(await read('sub//c.html'), ['text/html; charset=utf-8', 19]);
  });

  test('may be hard links, or symbolic links that stay inside', async () => {
    assert.deepEqual(await read('second.css'), ['text/css', 19]);
    // Wine creates no links.
    if (process.platform !== 'win32') assert.ok(await read('in.html'));
  });

  test('do not include named pipes, which would block', { skip: process.platform === 'win32' }, async () => {
    execFileSync('mkfifo', [join(root, 'pipe.css')]);
    assert.equal(await read('pipe.css'), undefined);
  });

  for (const path of [
    '../secret.txt',
    'sub/../../secret.txt',
    '%2e%2e/secret.txt',
    '..%2fsecret.txt',
    '/etc/passwd',
    'out.txt',
    'up/secret.txt',
    '.env',
    'sub/.git/config',
    'sub',
    '',
    '//sub/c.html',
    'sub//',
    'a b.css\0',
    '%',
  ])
    test(`do not include ${JSON.stringify(path)}`, async () => {
      assert.equal(await read(path), undefined);
    });
});
