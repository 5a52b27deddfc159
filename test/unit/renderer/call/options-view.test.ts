import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { options, setOption } from '../../../../renderer/call/call.ts';
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
} from '../../../../renderer/call/options-view.ts';

const shown = () => sections.value.flatMap(({ rows, idle }) => [...rows, ...idle]);

describe('What is shown of the form of options', () => {
  beforeEach(() => {
    resetAll();
    query.value = '';
  });

  test('only what was changed, and what is emptied meanwhile stays', () => {
    setOption('title', 'Invoice');
    setOption('page_size', 'A5');
    showOnlyChanged(true);
    assert.deepEqual(shown(), ['page_size', 'title']);
    setOption('title', '');
    assert.deepEqual(shown(), ['page_size', 'title']);
  });

  test('what is taken back goes, and after the last one all are there again', () => {
    setOption('title', 'Invoice');
    setOption('page_size', 'A5');
    showOnlyChanged(true);
    resetOption('title');
    assert.deepEqual(shown(), ['page_size']);
    resetOption('page_size');
    assert.equal(onlyThese.value, undefined);
    assert.equal(options.value.size, 0);
  });

  test('one letter does not narrow, two do', () => {
    query.value = 'a';
    assert.equal(isNarrow.value, false);
    query.value = 'watermark';
    assert.ok(shown().includes('page_watermark'));
    assert.ok(!shown().includes('page_size'));
  });

  test('an option that is wanted is uncovered: no search, its section and what has no effect in it open', () => {
    query.value = 'watermark';
    open.value = new Set();
    setOption('output_format', 'png');
    uncover('page_size');
    assert.equal(query.value, '');
    assert.deepEqual([...open.value], ['Page', 'Page/idle']);
  });
});
