import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { optionNames, table, type OptionName, type OptionRow } from '../../../../main/job/options.ts';
import { formOptions } from '../../../../renderer/call/call.ts';
import { controlOf, placeholderOf, sentencesOf } from '../../../../renderer/call/option-control.ts';
import { hasEffect, sectionOf, sectionsOf } from '../../../../renderer/call/option-sections.ts';

const rowOf = (name: OptionName): OptionRow => table[name];
const control = (name: OptionName) => controlOf(rowOf(name)).is;

describe('The form of options', () => {
  test('every option of the form is in exactly one section, whatever the output', () => {
    for (const format of ['pdf', 'png', 'PNG']) {
      const all = sectionsOf(formOptions, format).flatMap(({ rows, idle }) => [...rows, ...idle]);
      assert.deepEqual([...all].sort(), [...formOptions].sort());
    }
  });

  test('sections come in the order of the table, what never has an effect last', () => {
    const ids = sectionsOf(formOptions, 'pdf').map(({ id }) => id);
    assert.deepEqual(ids.slice(0, 4), ['Input', 'Data', 'Format', 'Page']);
    assert.equal(ids.at(-1), 'without');
    assert.equal(sectionOf('layout_dpi'), 'without');
  });

  test('what has no effect on the output is set apart', () => {
    const page = sectionsOf(formOptions, 'png').find(({ id }) => id === 'Page');
    assert.deepEqual(page?.rows, ['content_viewport_width', 'scale_factor']);
    assert.ok(page.idle.includes('page_size'));
    assert.ok(hasEffect('page_size', 'PDF'));
    assert.ok(!hasEffect('screenshot_width', 'pdf'));
    assert.ok(!hasEffect('layout_dpi', 'pdf'));
  });

  test('each kind of option has its control', () => {
    assert.equal(control('no_margins'), 'switch');
    assert.equal(control('orientation'), 'segments');
    assert.equal(control('page_size'), 'select');
    assert.equal(control('page_background_color'), 'colour');
    assert.equal(control('page_watermark'), 'file');
    assert.equal(control('custom_css'), 'lines');
    assert.equal(control('conversion_config'), 'lines');
    assert.equal(control('owner_password'), 'secret');
    assert.deepEqual(controlOf(table.javascript_delay), { is: 'text', numeric: true, unit: 'ms' });
    assert.deepEqual(controlOf(table.margin_top), { is: 'text', unit: 'mm, in, …' });
  });

  test('a choice that could not be taken back is no switch and no segments', () => {
    assert.deepEqual(controlOf(table.data_auto_escape), { is: 'select', values: ['true', 'false'] });
    assert.equal(control('initial_zoom_type'), 'select');
  });

  test('a secret is never shown as it is', () => {
    for (const name of optionNames)
      if (rowOf(name).secret === true) assert.match(control(name), /^(secret|file)$/, name);
  });

  test('an empty field shows its default, or how a value looks', () => {
    assert.equal(placeholderOf(table.margin_top), '0.4in');
    assert.equal(placeholderOf(table.page_width), '15mm');
  });

  test('an option is told in one sentence, the rest on demand, and nothing is lost', () => {
    for (const name of optionNames) {
      const [first, rest] = sentencesOf(rowOf(name));
      assert.equal([first, rest].filter(Boolean).join(' '), rowOf(name).says);
    }
    assert.equal(sentencesOf(table.content_fit_mode)[0], 'How the layout is scaled to the print area.');
  });
});
