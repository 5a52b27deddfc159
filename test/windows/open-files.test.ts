/** Files that another program has open on Windows: they can be neither replaced nor deleted, and everything waits or says so. */
import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { removePlatenFiles } from '../../main/cli/service/data-folder.ts';
import { renameWithRetry } from '../../main/files/rename-with-retry.ts';
import { scanFolder } from '../../main/hot-folder/scan-folder.ts';
import { openRotatingFile } from '../../main/log/service-log.ts';
import { makeBackup } from '../../main/upgrade/backup.ts';
import { replaceConfig } from '../../main/settings/config-change.ts';

/** UV_FS_O_EXLOCK of libuv: opens the file without sharing it, as many programs on Windows do. */
const withoutSharing = 0x10000000;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-open-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Opens a file without sharing it, and closes it after a time. */
function holdOpen(file: string, milliseconds?: number): { readonly close: () => void } {
  const descriptor = openSync(file, withoutSharing);
  const close = () => {
    closeSync(descriptor);
  };
  if (milliseconds !== undefined) setTimeout(close, milliseconds);
  return { close };
}

describe('A file that is replaced', () => {
  test('waits until another program has closed it', async () => {
    const from = join(folder, 'new');
    const to = join(folder, 'old');
    writeFileSync(from, 'new');
    writeFileSync(to, 'old');
    holdOpen(to, 400);
    await renameWithRetry(from, to);
    assert.deepEqual([readFileSync(to, 'utf8'), existsSync(from)], ['new', false]);
  });

  test('waits until a virus scanner has closed its new version', async () => {
    const from = join(folder, 'new');
    const to = join(folder, 'old');
    writeFileSync(from, 'new');
    writeFileSync(to, 'old');
    holdOpen(from, 400);
    await renameWithRetry(from, to);
    assert.deepEqual([readFileSync(to, 'utf8'), existsSync(from)], ['new', false]);
  });

  test('stays as it is if it remains open', async () => {
    const from = join(folder, 'new');
    const to = join(folder, 'old');
    writeFileSync(from, 'new');
    writeFileSync(to, 'old');
    const viewer = holdOpen(to);
    await assert.rejects(renameWithRetry(from, to), { code: /^(EPERM|EACCES|EBUSY)$/ });
    viewer.close();
    assert.deepEqual([readFileSync(to, 'utf8'), readFileSync(from, 'utf8')], ['old', 'new']);
  });

  test('can be config.json, which a change of settings replaces', async () => {
    const config = join(folder, 'config.json');
    writeFileSync(config, '{}');
    holdOpen(config, 400);
    await replaceConfig(config, '{"port": 1}');
    assert.deepEqual([readFileSync(config, 'utf8'), readdirSync(folder)], ['{"port": 1}', ['config.json']]);
  });
});

test('The removal of a data folder waits until another program has closed a file in it', async () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  for (const name of ['version.json', 'platen.log']) writeFileSync(join(data, name), '{}');
  holdOpen(join(data, 'platen.log'), 400);
  assert.deepEqual(await removePlatenFiles(data), []);
  assert.equal(existsSync(data), false);
});

test('A backup is complete although a virus scanner opens its files', async () => {
  writeFileSync(join(folder, 'config.json'), '{"port": 1}');
  writeFileSync(join(folder, 'version.json'), '{}');
  const scanned = new Promise<void>((resolve) => {
    const scanner = setInterval(() => {
      const backups = join(folder, 'backups');
      const [unfinished] = existsSync(backups) ? readdirSync(backups) : [];
      const file = join(backups, unfinished ?? '', 'config.json');
      if (unfinished === undefined || !existsSync(file)) return;
      clearInterval(scanner);
      const descriptor = openSync(file, 'r');
      setTimeout(() => {
        closeSync(descriptor);
        resolve();
      }, 400);
    }, 1);
  });
  const name = await makeBackup(folder, '0.1.0');
  await scanned;
  assert.deepEqual(readdirSync(join(folder, 'backups')), [name]);
  assert.deepEqual(readdirSync(join(folder, 'backups', name)), ['config.json', 'version.json']);
});

test('A log file that cannot rotate grows, and rotates when the other program has closed the file', () => {
  // The log stays open, so Windows cannot delete its folder.
  const logs = mkdtempSync(join(tmpdir(), 'platen-log-'));
  const path = join(logs, 'platen.log');
  const problems: string[] = [];
  const log = openRotatingFile({
    path,
    size: 1000,
    count: 2,
    onProblem: (problem) => problems.push(problem),
  });
  const line = `${'x'.repeat(399)}\n`;
  for (let count = 0; count < 4; count += 1) log.write(line);
  const viewer = holdOpen(`${path}.1`);
  for (let count = 0; count < 4; count += 1) log.write(line);
  assert.match(problems[0] ?? '', /cannot be rotated and exceeds its size: (EPERM|EACCES|EBUSY)/);
  assert.ok(readFileSync(path, 'utf8').length > 1000);
  viewer.close();
  for (let count = 0; count < 4; count += 1) log.write(line);
  assert.ok(readFileSync(path, 'utf8').length <= 1000);
  assert.deepEqual(readdirSync(logs).sort(), ['platen.log', 'platen.log.1']);
});

test('A source of a hot folder is incomplete while another program has it open', async () => {
  writeFileSync(join(folder, 'a.html'), '<p>text');
  const key = async () => (await scanFolder(folder, { jobTimeoutMs: 60_000 })).seen[0]?.stabilityKey;
  const closed = await key();
  assert.equal(await key(), closed);
  const writer = openSync(join(folder, 'a.html'), 'r+');
  const first = await key();
  assert.notEqual(first, closed);
  assert.notEqual(await key(), first);
  closeSync(writer);
  assert.equal(await key(), closed);
});
