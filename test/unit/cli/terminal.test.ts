import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimLineEnd } from '../../../main/cli/terminal.ts';

test('a secret loses exactly one final line break', () => {
  const secrets = ['a b \n', 'a b \r\n', 'a b ', 'a\n\n', '\n', ''].map(trimLineEnd);
  assert.deepEqual(secrets, ['a b ', 'a b ', 'a b ', 'a\n', '', '']);
});
