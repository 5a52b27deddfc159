import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { at } from '../../../support/debug-log/debug-log-lines.ts';
import { findingsAfterSuccess, onlyFinding } from '../../../support/debug-log/only-finding.ts';

describe('findings about fonts', () => {
  const style = { weight: '400', style: 'normal', characters: 10, element: 'p' };
  const fontsEvent = ({
    families,
    family,
    web = false,
    failed = [],
  }: {
    families: string;
    family: string;
    web?: boolean;
    failed?: string[];
  }) =>
    at(1, {
      kind: 'fonts',
      text: '',
      detail: { stacks: [{ ...style, families, used: [{ family, glyphs: 10, web }] }], failed, missing: [] },
    });

  test('a missing font is named with its replacement', () => {
    const { code, sentence } = onlyFinding(
      fontsEvent({ families: '"Helvetica Neue", Arial', family: 'Liberation Sans' }),
    );
    assert.equal(code, 'font-substituted');
    assert.match(sentence, /“Helvetica Neue” \(10 characters, first in p, drawn with Liberation Sans\)/);
  });

  test('a replacement that the font stack provides for is reported as information; any other is a warning', () => {
    const severityOf = (families: string) =>
      onlyFinding(fontsEvent({ families, family: 'Liberation Sans' })).severity;
    assert.equal(severityOf('"Segoe UI", Helvetica, sans-serif'), 'info');
    assert.equal(severityOf('Inter, Liberation Sans'), 'info');
    assert.equal(severityOf('Inter, sans-serif'), 'warning');
    assert.equal(severityOf('SFMono-Regular, Menlo, Consolas, monospace'), 'info');
    assert.equal(severityOf('"Segoe UI", Frutiger'), 'warning');
  });

  test('the default font and metric-compatible replacements are not findings', () => {
    for (const [families = '', family = ''] of [
      ['"Times New Roman"', 'Liberation Serif'],
      ['Arial, sans-serif', 'Liberation Sans'],
      ['Calibri', 'Carlito'],
    ])
      assert.deepEqual(findingsAfterSuccess(fontsEvent({ families, family })), [], families);
  });

  test('installed, generic and renamed web fonts are not findings', () => {
    for (const fonts of [
      fontsEvent({ families: 'liberation sans', family: 'Liberation Sans' }),
      fontsEvent({ families: 'sans-serif', family: 'DejaVu Sans' }),
      fontsEvent({ families: 'system-ui', family: 'Cantarell' }),
      fontsEvent({ families: 'Brand, serif', family: 'Brand-Regular v2', web: true }),
    ])
      assert.deepEqual(findingsAfterSuccess(fonts), []);
  });

  test('a web font that failed to load is not also reported as not installed', () => {
    assert.equal(
      onlyFinding(fontsEvent({ families: 'Brand, serif', family: 'DejaVu Serif', failed: ['Brand'] })).code,
      'font-not-loaded',
    );
  });

  test('characters without a glyph are counted', () => {
    const missing = [
      { character: '\ue001', count: 12, element: 'i.icon' },
      { character: '𝒳', count: 1, element: 'p' },
    ];
    const { code, sentence } = onlyFinding(
      at(1, { kind: 'fonts', text: '', detail: { stacks: [], failed: [], missing } }),
    );
    assert.equal(code, 'glyphs-missing');
    assert.match(sentence, /U\+E001 \(12 times, first in i\.icon\) and “𝒳” U\+1D4B3 \(1 time, first in p\)/);
    assert.match(sentence, /icon font/);
  });
});
