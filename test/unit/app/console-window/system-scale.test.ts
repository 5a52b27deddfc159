import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registryDpi, xResourcesDpi, systemScale } from '../../../../main/app/console-window/system-scale.ts';

test('the DPI of a Windows desktop is read from the registry: 144 at a scale of 150 %, 96 if missing', () => {
  const output =
    '\r\nHKEY_CURRENT_USER\\Control Panel\\Desktop\\WindowMetrics\r\n    AppliedDPI    REG_DWORD    0x90\r\n\r\n';
  assert.equal(registryDpi(output), 144);
  assert.equal(registryDpi('ERROR: The system was unable to find the specified registry key.'), 96);
});

test('the DPI of an X display is read from its resource Xft.dpi, 96 if missing', () => {
  assert.equal(xResourcesDpi('*customization:\t-color\nXft.dpi:\t192\nXft.hinting:\t1\n'), 192);
  assert.equal(xResourcesDpi(''), 96);
});

test('the scale is 1 on macOS, which scales windows itself', async () => {
  assert.equal(await systemScale('darwin'), 1);
});
