import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { options, setOption } from '../../../../../renderer/call/call.ts';
import {
  isFiltered,
  changedFilter,
  openSections,
  query,
  resetAll,
  resetOption,
  sections,
  showOnlyChanged,
  revealOption,
} from '../../../../../renderer/call/options/options-view.ts';

const shown = () => sections.value.flatMap(({ rows, withoutEffect }) => [...rows, ...withoutEffect]);

describe('The list of options', () => {
  beforeEach(() => {
    resetAll();
    query.value = '';
  });

  test('shows only changed options, and keeps one that is emptied meanwhile', () => {
    setOption('title', 'Invoice');
    setOption('page_size', 'A5');
    showOnlyChanged(true);
    assert.deepEqual(shown(), ['page_size', 'title']);
    setOption('title', '');
    assert.deepEqual(shown(), ['page_size', 'title']);
  });

  test('drops an option that is reset, and shows all options after the last reset', () => {
    setOption('title', 'Invoice');
    setOption('page_size', 'A5');
    showOnlyChanged(true);
    resetOption('title');
    assert.deepEqual(shown(), ['page_size']);
    resetOption('page_size');
    assert.equal(changedFilter.value, undefined);
    assert.equal(options.value.size, 0);
  });

  test('is filtered from the second letter of a search', () => {
    query.value = 'a';
    assert.equal(isFiltered.value, false);
    query.value = 'watermark';
    assert.ok(shown().includes('page_watermark'));
    assert.ok(!shown().includes('page_size'));
  });

  test('clears the search and opens the section of an option that is jumped to', () => {
    query.value = 'watermark';
    openSections.value = new Set();
    setOption('output_format', 'png');
    revealOption('page_size');
    assert.equal(query.value, '');
    assert.deepEqual([...openSections.value], ['Page', 'Page/no-effect']);
  });
});
