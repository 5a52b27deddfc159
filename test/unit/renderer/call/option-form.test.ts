import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { optionNames, table, type OptionName, type OptionRow } from '../../../../main/job/options.ts';
import { formOptions } from '../../../../renderer/call/call.ts';
import { controlOf, placeholderOf, sentencesOf } from '../../../../renderer/call/options/option-control.ts';
import { hasEffect, sectionOf, sectionsOf } from '../../../../renderer/call/options/option-sections.ts';

const rowOf = (name: OptionName): OptionRow => table[name];
const control = (name: OptionName) => controlOf(rowOf(name)).kind;

describe('The options form', () => {
  test('has every option in exactly one section, for each output format', () => {
    for (const format of ['pdf', 'png', 'PNG']) {
      const all = sectionsOf(formOptions, format).flatMap(({ rows, withoutEffect }) => [
        ...rows,
        ...withoutEffect,
      ]);
      assert.deepEqual([...all].sort(), [...formOptions].sort());
    }
  });

  test('has its sections in the order of the table, and options without effect last', () => {
    const ids = sectionsOf(formOptions, 'pdf').map(({ id }) => id);
    assert.deepEqual(ids.slice(0, 4), ['Input', 'Data', 'Format', 'Page']);
    assert.equal(ids.at(-1), 'without');
    assert.equal(sectionOf('layout_dpi'), 'without');
  });

  test('separates the options that have no effect on the output format', () => {
    const page = sectionsOf(formOptions, 'png').find(({ id }) => id === 'Page');
    assert.deepEqual(page?.rows, ['content_viewport_width', 'scale_factor']);
    assert.ok(page.withoutEffect.includes('page_size'));
    assert.ok(hasEffect('page_size', 'PDF'));
    assert.ok(!hasEffect('screenshot_width', 'pdf'));
    assert.ok(!hasEffect('layout_dpi', 'pdf'));
  });

  test('has a control for each kind of option', () => {
    assert.equal(control('no_margins'), 'switch');
    assert.equal(control('orientation'), 'segments');
    assert.equal(control('page_size'), 'select');
    assert.equal(control('page_background_color'), 'colour');
    assert.equal(control('page_watermark'), 'file');
    assert.equal(control('attachment'), 'files');
    assert.equal(control('attachment_relationship'), 'lines');
    assert.equal(control('custom_css'), 'lines');
    assert.equal(control('conversion_config'), 'lines');
    assert.equal(control('owner_password'), 'secret');
    assert.deepEqual(controlOf(table.javascript_delay), { kind: 'text', numeric: true, unit: 'ms' });
    assert.deepEqual(controlOf(table.margin_top), { kind: 'text', unit: 'mm, in, …' });
  });

  test('has a select box for a choice that a switch or segments could not reset', () => {
    assert.deepEqual(controlOf(table.data_auto_escape), { kind: 'select', values: ['true', 'false'] });
    assert.equal(control('initial_zoom_type'), 'select');
  });

  test('never shows a secret in plain text', () => {
    for (const name of optionNames)
      if (rowOf(name).secret === true) assert.match(control(name), /^(secret|file)$/, name);
  });

  test('shows the default or an example in an empty field', () => {
    assert.equal(placeholderOf(table.margin_top), '0.4in');
    assert.equal(placeholderOf(table.page_width), '15mm');
  });

  test('splits a description into a first sentence and the rest, without losing text', () => {
    for (const name of optionNames) {
      const [first, rest] = sentencesOf(rowOf(name));
      assert.equal([first, rest].filter(Boolean).join(' '), rowOf(name).description);
    }
    assert.equal(sentencesOf(table.content_fit_mode)[0], 'How the layout is scaled to the print area.');
  });
});
