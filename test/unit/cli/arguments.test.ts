import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UsageProblem } from '../../../main/cli/terminal.ts';
import { parseArguments } from '../../../main/cli/arguments.ts';

const kinds = { credits: 'value', operator: 'switch' } as const;
const read = (line: string) => {
  const { positionals, flags } = parseArguments(line.split(' '), kinds);
  return [positionals, Object.fromEntries(flags)];
};

describe('the arguments of a command', () => {
  test('are names and flags in any order; a value follows a space or =, and the last value of a flag counts', () => {
    const expected = [['ann'], { credits: '5', operator: 'on' }];
    assert.deepEqual(read('ann --credits 5 --operator'), expected);
    assert.deepEqual(read('--operator ann --credits=5'), expected);
    assert.deepEqual(read('--credits 9 --operator --credits 5 ann'), expected);
  });

  test('may be negative numbers', () => {
    assert.deepEqual(read('ann -50'), [['ann', '-50'], {}]);
    assert.deepEqual(read('--credits -5'), [[], { credits: '-5' }]);
  });

  test('are named in the error if they are unknown, lack a value or take none', () => {
    const cases = [
      ['--credis 5', /^--credis is not a flag of this command; did you mean --credits\?$/],
      ['--zzzzzzzzzz', /^--zzzzzzzzzz is not a flag of this command; it has --credits, --operator\.$/],
      ['-c 5', /^-c is not a flag/],
      ['--constructor', /^--constructor is not a flag/],
      ['--credits', /^--credits needs a value\.$/],
      ['--operator=on', /^--operator takes no value\.$/],
    ] as const;
    for (const [line, message] of cases)
      assert.throws(
        () => read(line),
        (thrown: unknown) => thrown instanceof UsageProblem && message.test(thrown.message),
        line,
      );
  });
});
