import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  prepareDataFolder,
  assertPlatenFolder,
  removePlatenFiles,
} from '../../../../main/cli/service/data-folder.ts';
import { lockDataFolder } from '../../../../main/launch/data-folder-lock.ts';
import { documentedDataFiles } from '../../../support/service/data-files.ts';
import { samplePlan } from './sample-plan.ts';

const root = mkdtempSync(join(tmpdir(), 'platen-data-'));
after(() => {
  rmSync(root, { recursive: true });
});

function folderWith(name: string, ...files: string[]): string {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const file of files) writeFileSync(join(folder, file), '');
  return folder;
}

test('a data folder with only files of Platen is removed completely', async () => {
  const data = folderWith('ours', 'accounts.sqlite', 'accounts.sqlite-wal', 'config.json', 'platen.log.1');
  mkdirSync(join(data, 'work', 'outputs'), { recursive: true });
  assert.deepEqual(await removePlatenFiles(data), []);
  assert.equal(existsSync(data), false);
  assert.deepEqual(await removePlatenFiles(data), [], 'a second removal does nothing');
});

test('every file and folder that the documentation lists is removed', async () => {
  const names = documentedDataFiles();
  assert.ok(names.includes('encryption.key') && names.includes('accounts.sqlite-wal'));
  const data = folderWith('documented', ...names.filter((name) => name !== 'fonts'));
  mkdirSync(join(data, 'fonts'));
  assert.deepEqual(await removePlatenFiles(data), []);
});

test('the removal of a data folder keeps foreign files, and names them', async () => {
  const data = folderWith(
    'mixed',
    'config.json',
    'version.json',
    'thesis.odt',
    'accounts.txt',
    'myconfig.json',
  );
  assert.deepEqual((await removePlatenFiles(data)).sort(), ['accounts.txt', 'myconfig.json', 'thesis.odt']);
  assert.deepEqual(readdirSync(data).sort(), ['accounts.txt', 'myconfig.json', 'thesis.odt']);
});

test('a folder without a database is removed if all its files have names that Platen uses, and untouched otherwise', async () => {
  const data = folderWith('project', 'config.json', 'thesis.odt');
  mkdirSync(join(data, 'work'));
  mkdirSync(join(data, 'backups'));
  await assert.rejects(removePlatenFiles(data), /contains files but no Platen database/);
  await assert.rejects(assertPlatenFolder(data), /run without --purge/);
  assert.equal(readdirSync(data).length, 4);
  const settings = folderWith('settings', 'config.json');
  assert.deepEqual(
    [await removePlatenFiles(settings), existsSync(settings)],
    [[], false],
    'the service never started',
  );
  const failed = folderWith(
    'failed',
    'config.json',
    'service.out',
    'platen.log',
    'platen.log.1',
    'platen.lock',
    'platen.pid',
  );
  writeFileSync(join(failed, 'version.json.new'), '{');
  assert.deepEqual(
    [await removePlatenFiles(failed), existsSync(failed)],
    [[], false],
    'every start of the service failed',
  );
  const missing = join(root, 'gone');
  assert.deepEqual(await removePlatenFiles(missing), []);
});

test('the fonts folder of a data folder is removed only if it is empty', async () => {
  const data = folderWith('with-fonts', 'accounts.sqlite');
  mkdirSync(join(data, 'fonts'));
  assert.deepEqual(await removePlatenFiles(data), []);
  const withFont = folderWith('with-a-font', 'accounts.sqlite');
  mkdirSync(join(withFont, 'fonts'));
  writeFileSync(join(withFont, 'fonts', 'House.ttf'), '');
  assert.deepEqual(await removePlatenFiles(withFont), ['fonts']);
});

test('a data folder in use is not removed', async () => {
  const data = folderWith('busy', 'config.json', 'version.json');
  using _lock = lockDataFolder(data);
  await assert.rejects(removePlatenFiles(data), new RegExp(`still used by process ${process.pid},`));
  assert.deepEqual(readdirSync(data).sort(), ['config.json', 'platen.lock', 'platen.pid', 'version.json']);
});

const skip = process.platform === 'win32' && 'Windows has neither modes nor user ids';
test('a new data folder is private, and one with files of another user is refused', { skip }, async () => {
  const data = join(root, 'deep', 'new');
  await prepareDataFolder(samplePlan({ data }), undefined);
  assert.equal(statSync(data).mode & 0o777, 0o700);
  const foreign = folderWith('foreign', 'thesis.odt');
  const stranger = { uid: statSync(foreign).uid + 1, gid: 0 };
  await assert.rejects(
    prepareDataFolder(samplePlan({ data: foreign }), stranger),
    /contains files and does not belong to platen/,
  );
});
