import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nativeTheme } from 'electron';
import sharp from 'sharp';
import { convertInside, startEngine } from '../support/service/engine.ts';

test('a page uses the light colour scheme on a dark desktop', async () => {
  nativeTheme.themeSource = 'dark';
  try {
    await using engine = await startEngine({ workers: 1 });
    const { bytes } = await convertInside(
      engine,
      '<style>@media (prefers-color-scheme: dark) { html { background: #000 } }</style><p>x',
      { output_format: 'png' },
    );
    const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([...data.subarray(0, 3)], [255, 255, 255]);
  } finally {
    nativeTheme.themeSource = 'system';
  }
});
