import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentName, settingNames, table, type SettingRow } from '../../../../main/settings/table.ts';
import {
  controlOf,
  matchesSearch,
  isInvalid,
  lockOf,
  addressChanges,
  variableOf,
  waitsForRestart,
} from '../../../../renderer/settings/setting-rules.ts';
import { viewOf } from './setting-view.ts';

test('an environment variable has the same name as in the service', () => {
  for (const name of settingNames) assert.equal(variableOf(name), environmentName(name));
});

test('a setting has a switch only when its default is exactly on or off', () => {
  const schema = { type: 'string', enum: ['on', 'off'] } as const;
  assert.equal(controlOf(viewOf({ schema, default: 'on' })), 'switch');
  assert.equal(controlOf(viewOf({ schema, default: 'on while listening on loopback only' })), 'select');
  assert.equal(controlOf(viewOf({ schema, default: 'on', secret: true })), 'secret');
  assert.equal(controlOf(viewOf({})), 'text');
});

test('a setting from the command line is locked, and the lock names its flag', () => {
  assert.deepEqual(lockOf({ name: 'port', origin: 'flag' }), { lockedBy: 'flag', source: '--port' });
  assert.deepEqual(lockOf({ name: 'job-timeout', origin: 'environment' }), {
    lockedBy: 'environment',
    source: 'PLATEN_JOB_TIMEOUT',
  });
  assert.deepEqual(lockOf({ name: 'data', origin: 'default' }), { lockedBy: 'data' });
  assert.equal(lockOf({ name: 'port', origin: 'file' }), undefined);
});

test('a value that was changed in or removed from config.json takes effect after a restart', () => {
  assert.equal(waitsForRestart(viewOf({ value: '64', written: '80' })), true);
  assert.equal(waitsForRestart(viewOf({ value: '80', written: '80', origin: 'file' })), false);
  assert.equal(waitsForRestart(viewOf({ value: '80', written: null, origin: 'file' })), true);
  assert.equal(waitsForRestart(viewOf({ value: '64', written: '64' })), false);
  assert.equal(waitsForRestart(viewOf({ value: '64', written: '80', origin: 'flag' })), false);
});

test('the form accepts every value that the service accepts', () => {
  const values: Readonly<Record<string, readonly string[]>> = {
    port: ['0', '65535', ' 8730 ', '+80'],
    'job-timeout': ['90', '90s', '2m', '1.5 h', '500MS'],
    'max-upload': ['300', '500kB', '1 GB', '20mb'],
    alias: ['pdfcrowd'],
    host: ['0.0.0.0'],
  };
  for (const [name, texts] of Object.entries(values)) {
    const { kind }: SettingRow = table[name as keyof typeof table];
    for (const text of texts) {
      assert.notEqual(kind.read(text), undefined, `${name} ${text}`);
      assert.equal(isInvalid({ schema: kind.schema }, text), false, `${name} ${text}`);
    }
  }
});

test('the form marks values that the service refuses', () => {
  for (const [name, text] of [
    ['port', '65536'],
    ['workers', '0'],
    ['workers', 'two'],
    ['job-timeout', 'soon'],
    ['max-upload', '300 pages'],
  ] as const)
    assert.equal(isInvalid({ schema: table[name].kind.schema }, text), true, `${name} ${text}`);
});

test('a changed port is recognised as a change of the address before the restart', () => {
  const changed = { written: '9000', value: '8730' };
  assert.deepEqual(
    addressChanges([viewOf({ name: 'port', ...changed }), viewOf({ name: 'queue', ...changed })]),
    ['port'],
  );
});

test('a search finds a setting by words of its name, description and group in any order', () => {
  const setting = viewOf({ name: 'queue-timeout', description: 'Longest wait for a window.' });
  assert.equal(matchesSearch(setting, 'timeout queue', ''), true);
  assert.equal(matchesSearch(setting, 'Wait limits', 'Jobs and limits'), true);
  assert.equal(matchesSearch(setting, 'queue proxy', ''), false);
  assert.equal(matchesSearch(setting, ' ', ''), true);
});
