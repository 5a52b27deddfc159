import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeHtml } from '../../../main/log/escape-html.ts';

test('the characters that have a meaning in HTML are escaped', () => {
  assert.equal(escapeHtml(`<a b="c" d='e'>&amp;`), '&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;');
});

test('control characters are made visible, line ends and tabs are kept', () => {
  assert.equal(escapeHtml('a\0b\x1bc\x7fd\x85e\u2028f\rg'), 'a␀b␛c␡d[U+0085]e[U+2028]f␍g');
  assert.equal(escapeHtml('a\tb\r\nc\n'), 'a\tb\r\nc\n');
});

test('bidi controls are replaced with their code points, and text in any writing system is unchanged', () => {
  assert.equal(escapeHtml('\u202eabc\u2066'), '[U+202E]abc[U+2066]');
  for (const text of ['שלום', 'مرحبا\u200f', '日本語', 'e\u0301 👩‍👩‍👧']) assert.equal(escapeHtml(text), text);
});

test('a lone surrogate is replaced with its code point', () => {
  assert.equal(escapeHtml('\ud83d😀\ude00'), '[U+D83D]😀[U+DE00]');
});
