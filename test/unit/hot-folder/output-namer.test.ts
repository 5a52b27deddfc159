import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutputNamer } from '../../../main/hot-folder/output-namer.ts';
import { completeSources } from '../../../main/hot-folder/source-names.ts';

const outputsOf = (
  sources: readonly string[],
  { extension = 'pdf', names = new OutputNamer(), now = 0 } = {},
) => Object.fromEntries(names.namesFor(completeSources(sources), extension, now));

test('an output has the name of its source with the extension of its format', () => {
  assert.deepEqual(outputsOf(['a.html', 'b.tar.gz', 'Logo.SVG'], { extension: 'png' }), {
    'a.html': 'a.png',
    'b.tar.gz': 'b.png',
    'Logo.SVG': 'Logo.png',
  });
});

test('two sources never share an output, even on case-insensitive file systems', () => {
  assert.deepEqual(outputsOf(['a.zip', 'A.html', 'a.svg', 'a.svg.html']), {
    'A.html': 'A.pdf',
    'a.svg.html': 'a.svg.pdf',
    'a.svg': 'a.svg (2).pdf',
    'a.zip': 'a.zip.pdf',
  });
});

test('thousands of names that differ only in case are compared a few times each', ({ mock }) => {
  const count = 2000;
  const sources = Array.from({ length: count }, (_, number) =>
    number.toString(2).padStart(11, '0').replaceAll('0', 'a').replaceAll('1', 'A'),
  ).map((stem) => ({ name: `${stem}.html`, stem, isArchive: false, rank: 0 }));
  const has = mock.method(Set.prototype, 'has');
  const names = new OutputNamer().namesFor(sources, 'pdf', 0);
  const comparisons = has.mock.callCount();
  has.mock.restore();
  assert.ok(comparisons < 5 * count, `${comparisons} comparisons`);
  assert.equal(new Set([...names.values()].map((name) => name.toLowerCase())).size, count);
  assert.equal(names.get('aaaaaaaaaaa.html'), `aaaaaaaaaaa.html (${count - 1}).pdf`);
});

const both = { 'a.html': 'a.pdf', 'a.svg': 'a.svg.pdf' };

test('a waiting source keeps its output name when the page with the plain name is moved away', () => {
  const names = new OutputNamer();
  assert.deepEqual(outputsOf(['a.html', 'a.svg'], { names }), both);
  names.markStarted('a.html', 'a.pdf', 0);
  assert.deepEqual(outputsOf(['a.svg'], { names, now: 1000 }), { 'a.svg': 'a.svg.pdf' });
  assert.deepEqual(outputsOf(['a.svg'], { names, now: 100_000 }), { 'a.svg': 'a.svg.pdf' });
  assert.deepEqual(outputsOf(['a.html', 'a.svg'], { names, now: 101_000 }), both);
});

test('a source that arrives soon after a page was converted does not get the name of its output', () => {
  const names = new OutputNamer();
  outputsOf(['a.html'], { names });
  names.markStarted('a.html', 'a.pdf', 0);
  assert.deepEqual(outputsOf([], { names, now: 1000 }), {});
  assert.deepEqual(outputsOf(['a.svg'], { names, now: 2000 }), { 'a.svg': 'a.svg.pdf' });
  assert.deepEqual(outputsOf(['a.html'], { names, now: 3000 }), { 'a.html': 'a.pdf' });
});

test('a page takes the plain name of another source only before the conversion of that source starts', () => {
  for (const isStarted of [false, true]) {
    const names = new OutputNamer();
    assert.deepEqual(outputsOf(['a.svg'], { names }), { 'a.svg': 'a.pdf' });
    if (isStarted) names.markStarted('a.svg', 'a.pdf', 0);
    const kept = { 'a.html': 'a.html.pdf', 'a.svg': 'a.pdf' };
    assert.deepEqual(outputsOf(['a.svg', 'a.html'], { names, now: 1 }), isStarted ? kept : both);
  }
});

test('an output name is free again a minute after its source is gone, or when the format changes', () => {
  const names = new OutputNamer();
  outputsOf(['a.html'], { names });
  names.markStarted('a.html', 'a.pdf', 0);
  assert.deepEqual(outputsOf(['a.svg'], { names, now: 60_000 }), { 'a.svg': 'a.pdf' });
  assert.deepEqual(outputsOf(['a.html', 'a.svg'], { names, now: 60_001, extension: 'png' }), {
    'a.html': 'a.png',
    'a.svg': 'a.svg.png',
  });
});
