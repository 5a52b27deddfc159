import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGlob, readGlob } from '../../../../main/cli/convert/inputs.ts';

const cases: readonly (readonly [glob: string, base: string, matches: string[], others: string[]])[] = [
  ['*.html', '', ['a.html', '.html'], ['a/b.html', 'a.htm', 'a_html']],
  ['docs/**/*.html', 'docs', ['a.html', 'a/b/c.html'], ['a.css']],
  ['docs/**', 'docs', ['a.html', 'a/b'], []],
  ['/srv/p?ge.html', '/srv', ['page.html'], ['pge.html', 'paage.html', 'p/ge.html']],
  ['/*.html', '/', ['a.html'], []],
  ['[a-c]*.{htm,html}', '', ['b1.htm', 'cc.html'], ['d.html', 'a.{htm', 'b.htmx']],
  ['[!a]b', '', ['cb'], ['ab', '/b']],
  ['[a&~]b', '', ['ab', '&b', '~b'], ['bb', 'a&b']],
  ['[z-a]*', '', [], ['z', 'b', 'a']],
  ['docs/{a/b,c}.html', 'docs', ['a/b.html', 'c.html'], ['b.html', 'a.html']],
  ['a{b*', '', [], ['ab', 'abc']],
  ['a+(b)*.html', '', ['a+(b).html'], ['aab.html']],
];

for (const [glob, base, matches, others] of cases)
  test(`the pattern ${glob} matches as in a shell`, () => {
    const read = readGlob(glob);
    assert.equal(read.base, base);
    for (const path of matches) assert.ok(read.matches(path), path);
    for (const path of others) assert.ok(!read.matches(path), path);
  });

test('the depth of a pattern is its number of segments below its base folder, and unlimited with **', () => {
  const depths = ['*.html', '/srv/*/a.html', '{a/b,c}.html', 'docs/**/a.html', '**'].map(
    (word) => readGlob(word).depth,
  );
  assert.deepEqual(depths, [1, 2, 2, Infinity, Infinity]);
});

test('a name with parentheses, empty brackets or braces without a comma is not a pattern', () => {
  assert.deepEqual(['a.html', 'a(b).html', 'a{b}.html', 'a[].html'].map(isGlob), [
    false,
    false,
    false,
    false,
  ]);
});
