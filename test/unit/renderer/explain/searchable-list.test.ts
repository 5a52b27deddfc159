import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saysAll } from '../../../../renderer/explain/searchable-list.tsx';

test('a filter matches text that contains all its words, in any case and order', () => {
  assert.ok(saysAll('GET https://example.com/Logo.SVG 404 Image', 'image logo'));
  assert.ok(saysAll('anything', '  '));
  assert.ok(!saysAll('https://example.com/logo.svg 200', 'logo 404'));
});
