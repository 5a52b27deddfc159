import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { renameInConfig } from '../../../main/settings/config-change.ts';
import { loadSettings } from '../../../main/settings/load.ts';
import { settingNames, renamedSettings } from '../../../main/settings/table.ts';

const renamed = { windows: 'workers', 'old-queue': 'queue' };

test('the old name of a renamed setting works in config.json, and the new name takes precedence', () => {
  const data = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const load = (config: object) => {
    writeFileSync(join(data, 'config.json'), JSON.stringify(config));
    return loadSettings({ flags: ['--data', data], environment: {}, renamed });
  };
  assert.equal(load({ windows: 3 }).workers, 3);
  assert.equal(load({ windows: 3, workers: 4 }).workers, 4);
  assert.equal(load({ workers: 4, windows: 3 }).workers, 4);
  assert.throws(() => load({ window: 3 }), /window in .* is not a known setting/);
  assert.throws(() => load({ windows: 'many' }), /workers in .*'many' is not allowed/);
  rmSync(data, { recursive: true });
});

test('renaming the settings in config.json keeps everything else unchanged', () => {
  const text = '\ufeff{\r\n\t"windows" :  3,\r\n\t"port": 1\r\n}\r\n';
  assert.equal(renameInConfig(text, renamed), text.replace('windows', 'workers'));
  assert.equal(renameInConfig('{\n  "windows": 3,\n  "workers": 4\n}', renamed), '{\n  "workers": 4\n}');
  assert.equal(renameInConfig('{"port":1}', renamed), undefined);
  assert.equal(renameInConfig('{"port', renamed), undefined);
});

test('renamed settings exist, and no setting has an old name', () => {
  for (const [old, name] of Object.entries(renamedSettings)) {
    assert.ok((settingNames as string[]).includes(name), name);
    assert.ok(!(settingNames as string[]).includes(old), old);
  }
});
