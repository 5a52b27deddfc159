import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nothingFound } from '../../../../main/log/findings/finding.ts';
import { stageLine } from '../../../support/debug-log-lines.ts';
import { calmLog } from '../../../support/debug-logs.ts';

const looked = [...calmLog(), stageLine('look at the page', { end: 20, took: 5 })];

test('a log without findings claims nothing of a page that was not examined', () => {
  const said = nothingFound(calmLog());
  assert.match(said, /The page itself was not examined/);
  assert.doesNotMatch(said, /images|fonts|cut/);
});

test('a log without findings names page breaks only where they were examined', () => {
  assert.match(nothingFound(looked), /images, fonts/);
  assert.doesNotMatch(nothingFound(looked), /page breaks/);
  const breaks = stageLine('look at the page breaks', { end: 30, took: 5 });
  assert.match(nothingFound([...looked, breaks]), /cut by page breaks/);
});
