import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shellQuote } from '../../../../main/cli/service/installation.ts';

test('a printed command is quoted for the shell of its system', () => {
  for (const [word, posix, windows] of [
    ['--data', '--data', '--data'],
    ['C:\\Platen\\bin\\platen.cmd', 'C:\\Platen\\bin\\platen.cmd', 'C:\\Platen\\bin\\platen.cmd'],
    ['a folder', "'a folder'", '"a folder"'],
    ["it's", "'it'\\''s'", '"it\'s"'],
    ['C:\\my data\\', "'C:\\my data\\'", '"C:\\my data\\\\"'],
  ] as const)
    assert.deepEqual([shellQuote(word, 'linux'), shellQuote(word, 'win32')], [posix, windows]);
});
