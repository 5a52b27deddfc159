import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { nestingProblem } from '../../../main/settings/hot-folders.ts';
import { loadSettings, SettingProblem } from '../../../main/settings/load.ts';

const load = (folders: string) =>
  loadSettings({ flags: ['--hot-folders', folders, '--data', '/srv/data'], environment: {} })['hot-folders'];

test('hot folders are absolute and normalised', () => {
  assert.deepEqual(load('/srv/in/, /srv/x/../other'), [resolve('/srv/in'), resolve('/srv/other')]);
  assert.throws(() => load('in'), /--hot-folders: the value 'in' is not allowed; allowed: absolute paths/);
});

test('hot folders cannot be nested or repeated', () => {
  for (const folders of ['/srv/in,/srv/in/more', '/srv/in/more,/srv/in', '/srv/in,/srv/in/', '/srv,/srv/in'])
    assert.throws(() => load(folders), SettingProblem);
  const folders = ['/srv/in', '/srv/in2', '/srv/..in'];
  assert.deepEqual(
    load(folders.join()),
    folders.map((folder) => resolve(folder)),
  );
});

test('a hot folder is refused if it is, contains or is inside the data folder', () => {
  assert.throws(
    () => load('/srv/data'),
    (problem: Error) =>
      problem.message.includes(
        `hot-folders: ${resolve('/srv/data')} is the data folder; choose another folder.`,
      ),
  );
  assert.throws(() => load('/srv/data/in'), /is inside the data folder/);
  assert.throws(() => load('/'), /the data folder .* is inside /);
  assert.equal(nestingProblem(['/srv/data2'], '/srv/data'), undefined);
});
