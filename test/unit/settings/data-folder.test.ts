import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { defaultDataFolder } from '../../../main/settings/data-folder.ts';

const original = { platform: process.platform, environment: { ...process.env } };

function setPlatform(platform: NodeJS.Platform): void {
  Object.defineProperty(process, 'platform', { value: platform });
}

beforeEach(() => {
  delete process.env.XDG_DATA_HOME;
  delete process.env.LOCALAPPDATA;
});

afterEach(() => {
  setPlatform(original.platform);
  process.env = { ...original.environment };
});

test('the default data folder is in the folder for application data on each platform', () => {
  setPlatform('linux');
  assert.equal(defaultDataFolder(), join(homedir(), '.local', 'share', 'platen'));
  setPlatform('darwin');
  assert.equal(defaultDataFolder(), join(homedir(), 'Library', 'Application Support', 'Platen'));
  setPlatform('win32');
  assert.equal(defaultDataFolder(), join(homedir(), 'AppData', 'Local', 'Platen'));
});

test('the default data folder is in XDG_DATA_HOME on Linux and in LOCALAPPDATA on Windows', () => {
  setPlatform('linux');
  process.env.XDG_DATA_HOME = '/xdg';
  assert.equal(defaultDataFolder(), join('/xdg', 'platen'));
  setPlatform('win32');
  process.env.LOCALAPPDATA = '/local';
  assert.equal(defaultDataFolder(), join('/local', 'Platen'));
});

test('an empty or relative XDG_DATA_HOME is ignored, as its specification requires', () => {
  setPlatform('linux');
  for (const folder of ['', 'relative', './x']) {
    process.env.XDG_DATA_HOME = folder;
    assert.ok(isAbsolute(defaultDataFolder()), JSON.stringify(folder));
    assert.equal(defaultDataFolder(), join(homedir(), '.local', 'share', 'platen'));
  }
});
