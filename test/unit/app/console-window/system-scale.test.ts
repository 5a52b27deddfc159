import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registryDpi, xResourcesDpi, systemScale } from '../../../../main/app/console-window/system-scale.ts';

test('reads 144 dpi from the registry of a Windows desktop at 150 %', () => {
  const output =
    '\r\nHKEY_CURRENT_USER\\Control Panel\\Desktop\\WindowMetrics\r\n    AppliedDPI    REG_DWORD    0x90\r\n\r\n';
  assert.equal(registryDpi(output), 144);
  assert.equal(registryDpi('ERROR: The system was unable to find the specified registry key.'), 96);
});

test('reads the dpi of an X display from its resources', () => {
  assert.equal(xResourcesDpi('*customization:\t-color\nXft.dpi:\t192\nXft.hinting:\t1\n'), 192);
  assert.equal(xResourcesDpi(''), 96);
});

test('returns scale 1 on macOS, which scales windows itself', async () => {
  assert.equal(await systemScale('darwin'), 1);
});
