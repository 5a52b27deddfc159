import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { optionNames } from '../../../../../main/job/options.ts';
import { nearestOption, searchOptions } from '../../../../../renderer/call/options/option-search.ts';

const find = (query: string) => searchOptions(query, optionNames);

describe('The search for options', () => {
  test('finds a name in any spelling, and lists it first', () => {
    for (const query of ['margin_top', 'margin top', 'marginTop', 'Margin-Top', 'margin_top=15mm'])
      assert.equal(find(query)[0], 'margin_top', query);
  });

  test('lists hits in names before hits in descriptions', () => {
    const found = find('encrypt');
    assert.equal(found[0], 'encrypt');
    assert.ok(found.includes('no_print'), 'its sentence says encrypts');
    assert.ok(found.indexOf('no_print') > found.indexOf('encrypt'));
  });

  test('finds an option by an alias, a value or a word of its description', () => {
    assert.ok(find('stream').includes('file'));
    assert.ok(find('letter').includes('page_size'));
    assert.ok(find('bookmarks').includes('outline'));
  });

  test('requires every word', () => {
    assert.equal(find('height footer')[0], 'footer_height');
    assert.deepEqual(find('footer submarine'), []);
    assert.deepEqual(find('  '), []);
  });

  test('suggests the nearest name for a mistyped one', () => {
    assert.deepEqual(find('page_siez'), []);
    assert.equal(nearestOption('page siez', optionNames), 'page_size');
    assert.equal(nearestOption('qqqqqqqq', optionNames), undefined);
  });
});
