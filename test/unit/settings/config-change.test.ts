import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { changeConfig, replaceConfig, type SettingChanges } from '../../../main/settings/config-change.ts';
import { SettingProblem } from '../../../main/settings/setting-problem.ts';
import { temporaryFolder } from '../../support/service/service.ts';

const change = (text: string | undefined, changes: Readonly<Record<string, string | null>>) =>
  changeConfig('config.json', text, new Map(Object.entries(changes)) as SettingChanges);

describe('a changed config.json', () => {
  test('has the new value, and keeps everything else as written', () => {
    const before = '{\n    "port":9000,   "demo" : false,\n\n    "network-allow": [ "a.example" ]\n}\n';
    assert.equal(
      change(before, { port: '9001' }),
      '{\n    "port":9001,   "demo" : false,\n\n    "network-allow": [ "a.example" ]\n}\n',
    );
  });

  test('keeps its indentation and line endings when settings are added', () => {
    assert.equal(
      change('{\r\n\t"port": 1\r\n}\r\n', { 'job-timeout': '90s' }),
      '{\r\n\t"port": 1,\r\n\t"job-timeout": "90s"\r\n}\r\n',
    );
  });

  test('is indented by two spaces if it is new', () => {
    assert.equal(
      change(undefined, { port: '1', 'job-timeout': '90s' }),
      '{\n  "port": 1,\n  "job-timeout": "90s"\n}\n',
    );
  });

  test('loses a setting that returns to its default', () => {
    assert.deepEqual(JSON.parse(change('{"port": 1, "queue": 2}', { port: null })), { queue: 2 });
    assert.deepEqual(JSON.parse(change('{"port": 1}', { port: null, queue: null })), {});
    assert.deepEqual(JSON.parse(change(undefined, { queue: null })), {});
  });

  test('keeps lists, and a byte order mark', () => {
    const changed = change('\ufeff{"network-allow": ["a.example"]}', {
      'network-allow': 'b.example, c.example',
    });
    assert.equal(changed.charCodeAt(0), 0xfeff);
    assert.deepEqual(JSON.parse(changed.slice(1)), { 'network-allow': ['b.example', 'c.example'] });
  });

  test('is refused if the file is not a JSON object, or contains the setting twice', () => {
    for (const text of ['', '{', '[]', '{"port": 1,}', '// no\n{}'])
      assert.throws(() => change(text, { port: '1' }), SettingProblem, text);
    assert.throws(() => change('{"port": 1, "port": 2}', { port: '3' }), /port occurs 2 times/);
    assert.ok(change('{"port": 1, "port": 2}', { queue: '3' }));
  });
});

describe('replacing config.json', { skip: process.platform === 'win32' }, () => {
  test('keeps the mode of the file, and creates a missing file with mode 600', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'config.json');
    await replaceConfig(path, '{}');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    chmodSync(path, 0o640);
    await replaceConfig(path, '{"port": 1}');
    assert.deepEqual([statSync(path).mode & 0o777, readFileSync(path, 'utf8')], [0o640, '{"port": 1}']);
    assert.deepEqual(readdirSync(folder), ['config.json']);
    rmSync(folder, { recursive: true });
  });

  test('keeps a symbolic link and changes the file it points to', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'config.json');
    const real = join(folder, 'real.json');
    writeFileSync(real, '{}');
    symlinkSync(real, path);
    await replaceConfig(path, '{"port": 1}');
    assert.ok(lstatSync(path).isSymbolicLink());
    assert.equal(readFileSync(real, 'utf8'), '{"port": 1}');
    rmSync(folder, { recursive: true });
  });

  test('leaves no temporary file when it fails', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'config.json');
    mkdirSync(path);
    await assert.rejects(replaceConfig(path, '{}'));
    assert.deepEqual(readdirSync(folder), ['config.json']);
    rmSync(folder, { recursive: true });
  });
});
