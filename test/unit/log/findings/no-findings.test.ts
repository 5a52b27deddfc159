import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noFindingsSentence } from '../../../../main/log/findings/finding.ts';
import { stageLine } from '../../../support/debug-log/debug-log-lines.ts';
import { cleanLog } from '../../../support/debug-log/sample-debug-logs.ts';

const examinedLog = [...cleanLog(), stageLine('examine the page', { end: 20, took: 5 })];

test('the text for a log without findings makes no claims about an unexamined page', () => {
  const sentence = noFindingsSentence(cleanLog());
  assert.match(sentence, /The page itself was not examined/);
  assert.doesNotMatch(sentence, /images|fonts|cut/);
});

test('the text for a log without findings mentions page breaks only if they were examined', () => {
  assert.match(noFindingsSentence(examinedLog), /images, fonts/);
  assert.doesNotMatch(noFindingsSentence(examinedLog), /page breaks/);
  const breaks = stageLine('examine the page breaks', { end: 30, took: 5 });
  assert.match(noFindingsSentence([...examinedLog, breaks]), /cut by page breaks/);
});
