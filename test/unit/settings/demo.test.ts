import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDemoEnabled } from '../../../main/settings/exposure.ts';
import { loadSettings } from '../../../main/settings/load.ts';

const demoAt = (...flags: string[]) =>
  isDemoEnabled(loadSettings({ flags: ['--data', '/no/such/folder', ...flags], environment: {} }));

test('the demo account exists while the service listens on loopback only', () => {
  assert.ok(demoAt());
  for (const host of ['127.0.0.1', '127.8.9.10', 'localhost', 'LOCALHOST', '::1', '[::1]'])
    assert.ok(demoAt('--host', host), host);
});

test('the demo account does not exist while the service listens on an address that others can reach', () => {
  const others = [
    '0.0.0.0',
    '::',
    '[::]',
    '10.0.0.1',
    '127.0.0.1.evil.example',
    'localhost.example',
    'x127.0.0.1',
    '1127.0.0.1',
    '::11',
    '127.0.0.1\n',
  ];
  for (const host of others) assert.ok(!demoAt('--host', host), host);
});

test('the operator can turn the demo account on or off', () => {
  assert.ok(demoAt('--host', '0.0.0.0', '--demo', 'on'));
  assert.ok(!demoAt('--demo', 'off'));
});
