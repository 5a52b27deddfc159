import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dotsInRegistry, dotsInResources, systemScale } from '../../../main/app/system-scale.ts';

test('a Windows desktop at 150 % has 144 dots per inch in its registry', () => {
  const said =
    '\r\nHKEY_CURRENT_USER\\Control Panel\\Desktop\\WindowMetrics\r\n    AppliedDPI    REG_DWORD    0x90\r\n\r\n';
  assert.equal(dotsInRegistry(said), 144);
  assert.equal(dotsInRegistry('ERROR: The system was unable to find the specified registry key.'), 96);
});

test('an X display says its dots per inch among its resources', () => {
  assert.equal(dotsInResources('*customization:\t-color\nXft.dpi:\t192\nXft.hinting:\t1\n'), 192);
  assert.equal(dotsInResources(''), 96);
});

test('macOS scales windows by itself', async () => {
  assert.equal(await systemScale('darwin'), 1);
});
