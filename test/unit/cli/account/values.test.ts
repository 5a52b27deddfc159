import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  readBalanceChange,
  readAccountChange,
  readInitialCredits,
  readKeyName,
  readNewName,
} from '../../../../main/cli/account/values.ts';
import { UsageProblem } from '../../../../main/cli/terminal.ts';

const refused = (read: () => unknown, text: string) => {
  assert.throws(read, UsageProblem, text);
};
const flagsOf = (flags: Record<string, string>) => readAccountChange(new Map(Object.entries(flags)));

describe('in account commands,', () => {
  test('a new name has at most 64 letters, digits and . _ @ -', () => {
    for (const name of ['a', 'jürgen', 'shop-2@example.com', '__proto__', 'x'.repeat(64)])
      assert.equal(readNewName(name), name);
    for (const name of ['', 'a b', 'a:b', 'a,b', 'a/b', 'a\n', 'a\0', '"a"', 'x'.repeat(65)])
      refused(() => readNewName(name), name);
  });

  test('the name of a key has 1 to 100 characters and no control characters', () => {
    assert.equal(readKeyName('the shop, since May'), 'the shop, since May');
    for (const name of ['', 'a\nb', '\u001b[31m', 'x'.repeat(101)]) refused(() => readKeyName(name), name);
  });

  test('credits are a whole number or unlimited', () => {
    assert.deepEqual(readInitialCredits(undefined), {});
    assert.deepEqual(readInitialCredits('0'), { credits: 0 });
    assert.deepEqual(readInitialCredits('unlimited'), { credits: 'unlimited' });
    for (const text of ['-1', '+1', '1.5', '', '1e3', '1'.repeat(13)])
      refused(() => readInitialCredits(text), text);
  });

  test('a balance can be set, increased, reduced or made unlimited', () => {
    assert.deepEqual(readBalanceChange('5'), { kind: 'set', credits: 5 });
    assert.deepEqual(readBalanceChange('+5'), { kind: 'add', credits: 5 });
    assert.deepEqual(readBalanceChange('-5'), { kind: 'add', credits: -5 });
    assert.deepEqual(readBalanceChange('unlimited'), { kind: 'unlimited' });
    for (const text of ['', '+', '--5', '5.0', 'none', '1'.repeat(13)])
      refused(() => readBalanceChange(text), text);
  });

  test('only the given flags change properties, and invalid values are refused', () => {
    assert.deepEqual(flagsOf({}), {});
    assert.deepEqual(
      flagsOf({
        operator: 'on',
        'debug-log': 'off',
        refill: '100/day',
        'jobs-at-once': '2',
        'jobs-per-minute': 'none',
      }),
      {
        operator: true,
        debugLog: false,
        refill: { credits: 100, period: 'day' },
        jobsAtOnce: 2,
        jobsPerMinute: 'none',
      },
    );
    assert.deepEqual(flagsOf({ refill: 'none' }), { refill: 'none' });
    const wrong = [
      { operator: 'yes' },
      { 'debug-log': '' },
      ...['100', '0/day', '5/week', 'day', '-5/day', '5/DAY'].map((refill) => ({ refill })),
      ...['0', '-1', '1.5', 'unlimited'].map((limit) => ({ 'jobs-at-once': limit })),
    ];
    for (const flags of wrong) refused(() => flagsOf(flags), JSON.stringify(flags));
  });
});
