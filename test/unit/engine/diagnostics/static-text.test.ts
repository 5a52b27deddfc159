import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSurelyComplete } from '../../../../main/engine/diagnostics/static-text.ts';
import type { Options } from '../../../../main/job/options.ts';

const isComplete = (text: string, options: Partial<Options> = {}) =>
  isSurelyComplete(text, { content_viewport_width: 1024, ...options } as Options);

const row = (columns: number) => `<tr>${'<td>x'.repeat(columns)}`;

test('a letter and an invoice surely hide nothing', () => {
  const style =
    '<style>body{font:11pt "Liberation Sans"}table{width:100%}td,th{padding:4px;border-bottom:1px solid #999}</style>';
  assert.ok(isComplete(`${style}<p style="margin-top:20mm">Dear Ann, ${'word '.repeat(500)}`));
  assert.ok(isComplete(`${style}<table><thead><tr><th>Item</thead><tbody>${row(6)}</table>`));
});

test('content that may be hidden, wide or printed differently is looked at', () => {
  for (const text of [
    '<div style="overflow:auto">x',
    '<p style="width:1200px">x',
    '<table width=900>',
    '<p style="width:300mm">x',
    '<p style="width:250%">x',
    '<p style="white-space:nowrap">x',
    `<p>${'x'.repeat(80)}`,
    `<table>${row(12)}</table>`,
    '<p style="font-size:96px">x',
    '<p style="font-size: 8em">x',
    '<div style="position:fixed">x',
    '<p style="filter:blur(2px)">x',
    '<style>@page{@top-left{content:"x"}}</style><p>x',
    `<table><thead>${row(3).repeat(200)}</thead>${row(3)}</table>`,
    `<table><thead style="height:400px">${row(3)}</thead>${row(3)}</table>`,
    '<style>@font-face{font-family:f;src:url(data:,x)}</style><p>x',
  ])
    assert.ok(!isComplete(text), text.slice(0, 80));
});

test('a layout as wide as its content is never too narrow, and a narrow window is always looked at', () => {
  assert.ok(isComplete('<p style="width:1200px">x', { content_viewport_width: 'balanced' }));
  assert.ok(!isComplete('<p>x', { content_viewport_width: 480 }));
  assert.ok(!isComplete('<p>x', { custom_css: 'p { overflow: auto }' }));
});
