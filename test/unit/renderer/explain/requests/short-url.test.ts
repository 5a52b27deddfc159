import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortUrl } from '../../../../../renderer/explain/requests/short-url.ts';

const shortened: Readonly<Record<string, readonly [name: string, location: string]>> = {
  'https://cdn.example.com/fonts/inter.css?v=3#top': ['inter.css?v=3', 'cdn.example.com/fonts'],
  'https://example.com/': ['example.com', ''],
  'https://example.com': ['example.com', ''],
  'https://example.com/?q=1': ['example.com?q=1', ''],
  'https://example.com/docs/': ['/docs/', 'example.com'],
  'css/p1.css': ['p1.css', 'css'],
  'index.html': ['index.html', ''],
  'data:image/png;base64,iVBORw0KGgo': ['data:image/png;base64,iVBORw0KGgo', ''],
};

for (const [address, [name, location]] of Object.entries(shortened))
  test(`${address} is shortened to ${name}`, () => {
    assert.deepEqual(shortUrl(address), { name, location });
  });

test('a data URL is shortened to 48 characters', () => {
  assert.equal(shortUrl(`data:text/css,${'a'.repeat(5000)}`).name.length, 48);
});
