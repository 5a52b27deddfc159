import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { similarNames } from '../../../../main/input/archive/similar-names.ts';

describe('files with names similar to a missing one', () => {
  const cases: readonly (readonly [missing: string, entries: string, similar: string])[] = [
    ['logo.png', 'img/Logo.PNG', 'img/Logo.PNG'],
    ['img/logo.png', 'img/logo.jpeg', 'img/logo.jpeg'],
    ['img/logo.png', 'img/longo.png', 'img/longo.png'],
    ['img/header.png', 'haeder.png', 'haeder.png'],
    ['my logo.svg', 'my_logo.svg', 'my_logo.svg'],
    ['Schl\u00fcssel.png', 'Schlussel.png', 'Schlussel.png'],
    ['a.woff2', 'fonts/a.ttf', 'fonts/a.ttf'],
    ['logo', 'logo.png', 'logo.png'],
    // The most similar first, at most two.
    ['x/logo.png', 'logos.png logo.jpg a/logo.png b/logo.png', 'a/logo.png b/logo.png'],
    ['logo.png', 'logos.png logo.jpg', 'logo.jpg logos.png'],
    // Other files, not other names.
    ['1.png', '2.png a/3.png', ''],
    ['photo-01.png', 'photo-02.png', ''],
    ['photo-1.png', 'photo-01.png', 'photo-01.png'],
    ['index.css', 'index.html', ''],
    ['logo.png', 'banner.png', ''],
    [`${'a'.repeat(300)}.png`, `${'a'.repeat(301)}.png`, ''],
  ];
  for (const [missing, entries, similar] of cases)
    test(`'${missing.slice(0, 20)}' among '${entries.slice(0, 50)}': '${similar}'`, async () => {
      assert.equal((await similarNames(entries.split(' '))(missing)).join(' '), similar);
    });

  test('are searched for once for a name, and for twenty names', async () => {
    const find = similarNames(['logo.png']);
    const found: number[] = [];
    for (let count = 0; count < 25; count += 1) found.push((await find(`${count}/logo.png`)).length);
    assert.deepEqual(found, [...Array<number>(20).fill(1), ...Array<number>(5).fill(0)]);
    const again = similarNames(['logo.png']);
    assert.deepEqual([await again('a/logo.png'), await again('a/logo.png')], [['logo.png'], []]);
  });

  test('are found in a moment among ten thousand names that differ at their ends', async () => {
    const name = (end: string) => `${'a'.repeat(95)}${end}.png`;
    const find = similarNames(
      Array.from({ length: 10_000 }, (_, index) => name(String.fromCodePoint(1000 + index) + 'xyz')),
    );
    const began = performance.now();
    for (let count = 0; count < 20; count += 1) await find(`${count}/${name('zyx')}`);
    // Takes less than a second.
    assert.ok(performance.now() - began < 20_000);
  });
});
