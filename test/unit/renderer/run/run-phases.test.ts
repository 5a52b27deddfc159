/** Texts about runs: their titles, their phases, and the remedy of a failure. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue } from '../../../../main/failure/catalogue.ts';
import { optionsIn, remedyFor } from '../../../../renderer/run/result/failure-help.ts';
import { titleOfAddress, titleOfHtml } from '../../../../renderer/run/run-title.ts';
import { phaseReached } from '../../../../renderer/run/run-phases.ts';

test('the title of an HTML run is its title element, or else its first heading', () => {
  assert.equal(titleOfHtml('<title lang=en>\n Invoice\n 17 </title><h1>Other</h1>'), 'Invoice 17');
  assert.equal(titleOfHtml('<p>a<h2 class=x>Report</h2>'), 'Report');
  assert.equal(titleOfHtml('<title> </title>'), undefined);
  assert.equal(titleOfHtml('<p>text'), undefined);
  assert.equal(titleOfHtml(`<title>${'x'.repeat(500)}`)?.length, 80);
});

test('the title of a URL run is its address without credentials and query', () => {
  assert.equal(titleOfAddress('https://user:key@example.com/a/b.html?token=1#x'), 'example.com/a/b.html');
  assert.equal(titleOfAddress('http://localhost:8080/'), 'localhost:8080');
});

test('a run reaches its phases in order, and never goes back', () => {
  const phases: [string[], string][] = [
    [[], 'prepare'],
    [['prepare input', 'wait for a window'], 'wait'],
    [['wait for a window', 'set up the window', 'load the page'], 'load'],
    [['load the page', 'load fonts and images'], 'ready'],
    [['run custom_javascript'], 'ready'],
    [['an unknown stage'], 'ready'],
    [['print', 'examine the page breaks'], 'make'],
    [['capture'], 'make'],
    [['print', 'finish the PDF'], 'finish'],
  ];
  for (const [stages, phase] of phases) assert.equal(phaseReached(stages), phase, stages.join(', '));
});

test('a failure shows a remedy, for every reason of the catalogue', () => {
  for (const { reason, remedy } of Object.values(catalogue)) assert.equal(remedyFor(reason), remedy);
  assert.equal(remedyFor(0), undefined);
});

test('a failure links to exactly the options that its message names', () => {
  assert.deepEqual(optionsIn("The value 'A9' of page_size is not allowed; allowed: A4."), ['page_size']);
  assert.deepEqual(optionsIn("The value 'x' of cookies is not allowed."), ['cookies']);
  assert.deepEqual(optionsIn('No element matched wait_for_element in time.'), ['wait_for_element']);
  assert.deepEqual(optionsIn('The url of the file is not text.'), []);
});
