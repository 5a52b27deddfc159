import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containsAllWords } from '../../../../renderer/explain/searchable-list.tsx';

test('a filter matches text that contains all its words, in any case and order', () => {
  assert.ok(containsAllWords('GET https://example.com/Logo.SVG 404 Image', 'image logo'));
  assert.ok(containsAllWords('anything', '  '));
  assert.ok(!containsAllWords('https://example.com/logo.svg 200', 'logo 404'));
});
