import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPermanent, shellQuote } from '../../../../main/cli/service/installation.ts';

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

test('a service is refused for a download that macOS runs from a temporary path', () => {
  const inside = 'Platen.app/Contents/Resources/bin/platen';
  assert.throws(() => {
    assertPermanent([`/private/var/folders/x/T/AppTranslocation/5F-1/d/${inside}`]);
  }, /temporary path .*move Platen\.app to \/Applications/);
  assertPermanent([`/Applications/${inside}`]);
});
