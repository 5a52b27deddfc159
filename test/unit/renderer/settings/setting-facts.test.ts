import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentName, settingNames, table, type SettingRow } from '../../../../main/settings/table.ts';
import {
  controlOf,
  isFound,
  isWrong,
  lockOf,
  moves,
  variableOf,
  waitsForRestart,
} from '../../../../renderer/settings/setting-facts.ts';
import { viewOf } from './setting-view.ts';

test('a variable is called as the service calls it', () => {
  for (const name of settingNames) assert.equal(variableOf(name), environmentName(name));
});

test('a switch is only for what is plainly on or off by default', () => {
  const schema = { type: 'string', enum: ['on', 'off'] } as const;
  assert.equal(controlOf(viewOf({ schema, default: 'on' })), 'switch');
  assert.equal(controlOf(viewOf({ schema, default: 'on while listening on loopback only' })), 'select');
  assert.equal(controlOf(viewOf({ schema, default: 'on', secret: true })), 'secret');
  assert.equal(controlOf(viewOf({})), 'text');
});

test('a setting of the command line is locked, and its lock says where', () => {
  assert.deepEqual(lockOf({ name: 'port', from: 'flag' }), { by: 'flag', place: '--port' });
  assert.deepEqual(lockOf({ name: 'job-timeout', from: 'environment' }), {
    by: 'environment',
    place: 'PLATEN_JOB_TIMEOUT',
  });
  assert.deepEqual(lockOf({ name: 'data', from: 'default' }), { by: 'data' });
  assert.equal(lockOf({ name: 'port', from: 'file' }), undefined);
});

test('what the file says differently waits for a restart, and so does what it says no more', () => {
  assert.equal(waitsForRestart(viewOf({ value: '64', written: '80' })), true);
  assert.equal(waitsForRestart(viewOf({ value: '80', written: '80', from: 'file' })), false);
  assert.equal(waitsForRestart(viewOf({ value: '80', written: null, from: 'file' })), true);
  assert.equal(waitsForRestart(viewOf({ value: '64', written: '64' })), false);
  assert.equal(waitsForRestart(viewOf({ value: '64', written: '80', from: 'flag' })), false);
});

test('no value that the service takes is called wrong', () => {
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
      assert.equal(isWrong({ schema: kind.schema }, text), false, `${name} ${text}`);
    }
  }
});

test('what the service surely refuses is called wrong before it is sent', () => {
  for (const [name, text] of [
    ['port', '65536'],
    ['workers', '0'],
    ['workers', 'two'],
    ['job-timeout', 'soon'],
    ['max-upload', '300 pages'],
  ] as const)
    assert.equal(isWrong({ schema: table[name].kind.schema }, text), true, `${name} ${text}`);
});

test('a change of the address is known before the restart', () => {
  const changed = { written: '9000', value: '8730' };
  assert.deepEqual(moves([viewOf({ name: 'port', ...changed }), viewOf({ name: 'queue', ...changed })]), [
    'port',
  ]);
});

test('a setting is found by words of its name, its sentence and its group, in any order', () => {
  const setting = viewOf({ name: 'queue-timeout', says: 'Longest wait for a window.' });
  assert.equal(isFound(setting, 'timeout queue', ''), true);
  assert.equal(isFound(setting, 'Wait limits', 'Work and limits'), true);
  assert.equal(isFound(setting, 'queue proxy', ''), false);
  assert.equal(isFound(setting, ' ', ''), true);
});
