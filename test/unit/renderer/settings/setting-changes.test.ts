import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitSaveError, withChange } from '../../../../renderer/settings/setting-changes.ts';
import { viewOf } from './setting-view.ts';

const none = new Map<string, string | null>();

test('a value that is set back to the value of the file is not a change', () => {
  const setting = viewOf({ written: '80' });
  const changed = withChange(none, setting, '90');
  assert.deepEqual([...changed], [['queue', '90']]);
  assert.deepEqual([...withChange(changed, setting, '80')], []);
});

test('an emptied field resets a setting, and is not a change if the setting has its default', () => {
  assert.deepEqual([...withChange(none, viewOf({ written: '80' }), ' ')], [['queue', null]]);
  assert.deepEqual([...withChange(none, viewOf({}), '')], []);
});

test('any text replaces a secret, and only a secret that is set can be removed', () => {
  const secret = viewOf({ secret: true, written: 'set' });
  assert.deepEqual([...withChange(none, secret, 'set')], [['queue', 'set']]);
  assert.deepEqual([...withChange(none, secret, null)], [['queue', null]]);
  assert.deepEqual([...withChange(none, viewOf({ secret: true }), null)], []);
  assert.deepEqual([...withChange(new Map([['queue', 'x']]), secret, undefined)], []);
});

test('the message of a refusal is split into one sentence for each setting', () => {
  const message =
    "workers: the value '99' is not allowed; allowed: a whole number from 1 to 64. port is set by the flag --port, which overrides config.json: change it where the service is started.";
  const { general, bySetting } = splitSaveError(message, ['port', 'workers', 'queue']);
  assert.equal(general, undefined);
  assert.deepEqual(Object.fromEntries(bySetting), {
    workers: "The value '99' is not allowed; allowed: a whole number from 1 to 64.",
    port: 'port is set by the flag --port, which overrides config.json: change it where the service is started.',
  });
});

test('a refusal that names no changed setting is shown whole', () => {
  const message = 'A start would fail, so nothing was done: tls-cert cannot be read.';
  assert.deepEqual(splitSaveError(message, ['tls-cert', 'a']), { general: message, bySetting: new Map() });
});
