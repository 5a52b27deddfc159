import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { options, setOption } from '../../../../../renderer/call/call.ts';
import {
  isNarrow,
  onlyThese,
  open,
  query,
  resetAll,
  resetOption,
  sections,
  showOnlyChanged,
  uncover,
} from '../../../../../renderer/call/options/options-view.ts';

const shown = () => sections.value.flatMap(({ rows, idle }) => [...rows, ...idle]);

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
    assert.equal(onlyThese.value, undefined);
    assert.equal(options.value.size, 0);
  });

  test('is filtered from the second letter of a search', () => {
    query.value = 'a';
    assert.equal(isNarrow.value, false);
    query.value = 'watermark';
    assert.ok(shown().includes('page_watermark'));
    assert.ok(!shown().includes('page_size'));
  });

  test('clears the search and opens the section of an option that is jumped to', () => {
    query.value = 'watermark';
    open.value = new Set();
    setOption('output_format', 'png');
    uncover('page_size');
    assert.equal(query.value, '');
    assert.deepEqual([...open.value], ['Page', 'Page/idle']);
  });
});
