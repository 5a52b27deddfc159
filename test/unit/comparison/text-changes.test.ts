import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PositionedWord } from '../../../main/comparison/comparable-document.ts';
import { findTextChanges } from '../../../main/comparison/text-changes.ts';

test('an added sentence leaves the words around it unchanged, also frequent ones', () => {
  const before = inLine('the end of the page');
  const after = inLine('the end of the first part of the page');
  const changes = shownChanges(before, after).filter((change) => !change.startsWith('moved'));
  assert.deepEqual(changes.length, 1);
  assert.match(changes[0] ?? '', /^added (the first part of|first part of the)$/);
});

test('words that move by the same distance are one change', () => {
  const before = [...inLine('Dear Sir'), ...inLine('we thank you', { y: 80 })];
  const after = [...inLine('Dear Sir'), ...inLine('we thank you', { y: 92 })];
  assert.deepEqual(findTextChanges(before, after), [
    {
      kind: 'moved',
      text: 'we thank you',
      words: 3,
      before: { page: 1, x: 0, y: 80 },
      after: { page: 1, x: 0, y: 92 },
    },
  ]);
});

test('words that move by different distances are separate changes', () => {
  const after = [...inLine('Dear', { y: 92 }), ...inLine('Sir', { x: 300 })];
  assert.deepEqual(shownChanges(inLine('Dear Sir'), after), ['moved Dear', 'moved Sir']);
});

test('text at the same place is unchanged if it is only painted in another order', () => {
  const title = inLine('the title of the page');
  const footer = inLine('written by its author', { y: 800 });
  assert.deepEqual(findTextChanges([...title, ...footer], [...footer, ...title]), []);
});

test('a paragraph that moves behind a longer one is moved', () => {
  const short = inLine('a short one');
  const long = inLine('and a long paragraph of the document', { y: 100 });
  const after = [...inLine('and a long paragraph of the document'), ...inLine('a short one', { page: 2 })];
  assert.deepEqual(shownChanges([...short, ...long], after).sort(), [
    'moved a short one',
    'moved and a long paragraph of the document',
  ]);
});

test('a frequent word that disappears at one place and appears at another is not moved', () => {
  const before = inLine('of one of two of three');
  const after = inLine('one two three of of of four');
  assert.ok(!shownChanges(before, after).includes('moved of'));
});

test('removed and added words account for the difference of any two texts', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });
  fc.assert(
    fc.property(words, words, (before, after) => {
      const changes = findTextChanges(inLine(before.join(' ')), inLine(after.join(' ')));
      const removed = wordsOf(changes, 'removed');
      const added = wordsOf(changes, 'added');
      assert.deepEqual([...before, ...added].sort(), [...after, ...removed].sort());
      assert.ok(removed.length <= before.length && added.length <= after.length);
    }),
  );
});

test('the number of removed and added words is the smallest possible, except for moved words', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  fc.assert(
    fc.property(words, words, (before, after) => {
      const changes = findTextChanges(inLine(before.join(' ')), inLine(after.join(' ')));
      const kept = before.length - wordsOf(changes, 'removed').length;
      assert.ok(kept >= longestCommonSubsequence(before, after));
    }),
  );
});

test('two long texts without a common word are compared in seconds', () => {
  const before = inLine(Array.from({ length: 20_000 }, (_, index) => `a${index}`).join(' '));
  const after = inLine(Array.from({ length: 20_000 }, (_, index) => `b${index}`).join(' '));
  const start = performance.now();
  const changes = findTextChanges(before, after);
  assert.ok(performance.now() - start < 10_000);
  assert.deepEqual(
    changes.map(({ kind, words }) => [kind, words]),
    [
      ['removed', 20_000],
      ['added', 20_000],
    ],
  );
});

interface Start {
  readonly page?: number;
  readonly x?: number;
  readonly y?: number;
}

/** Places words side by side, 10 pt apart. */
function inLine(text: string, { page = 1, x = 0, y = 50 }: Start = {}): PositionedWord[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word, index) => ({ text: word, page, x: x + 10 * index, y }));
}

function shownChanges(before: readonly PositionedWord[], after: readonly PositionedWord[]): string[] {
  return findTextChanges(before, after).map(({ kind, text }) => `${kind} ${text}`);
}

function wordsOf(changes: ReturnType<typeof findTextChanges>, wanted: string): string[] {
  return changes.filter(({ kind }) => kind === wanted).flatMap(({ text }) => text.split(' '));
}

function longestCommonSubsequence(a: readonly string[], b: readonly string[]): number {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (x: number, y: number) => lengths[x]?.[y] ?? 0;
  for (const [x, word] of a.entries())
    for (const [y, other] of b.entries()) {
      const row = lengths[x + 1];
      if (row) row[y + 1] = word === other ? at(x, y) + 1 : Math.max(at(x, y + 1), at(x + 1, y));
    }
  return at(a.length, b.length);
}
