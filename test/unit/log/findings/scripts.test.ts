import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { consoleLine } from '../../../support/debug-log/debug-log-lines.ts';
import { findingsAfterSuccess, onlyFinding } from '../../../support/debug-log/only-finding.ts';

describe('findings about the console', () => {
  test('a repeated exception is one error with its position', () => {
    const line = consoleLine('Uncaught ReferenceError: total is not defined', 'exception', 'invoice.js');
    const { severity, sentence } = onlyFinding(line, line, line);
    assert.equal(severity, 'error');
    assert.match(
      sentence,
      /^1 uncaught script error; .*“Uncaught ReferenceError: total is not defined” at invoice\.js:12:5 \(3 times\)/,
    );
  });

  test('console errors of the page are warnings, and network messages of Chromium are ignored', () => {
    assert.equal(onlyFinding(consoleLine('no chart', 'error')).severity, 'warning');
    const repeated = 'Failed to load resource: the server responded with a status of 404 ()';
    assert.deepEqual(findingsAfterSuccess(consoleLine(repeated, 'error'), consoleLine('hello')), []);
  });

  test('an exception in a script of the request names its option', () => {
    assert.deepEqual(onlyFinding(consoleLine('Uncaught x', 'exception', 'custom_javascript')).options, [
      'custom_javascript',
    ]);
  });

  test('an exception about a feature that Chromium lacks names the version that has it', () => {
    const errors: Readonly<Record<string, RegExp | undefined>> = {
      'Uncaught TypeError: RegExp.escape is not a function': /RegExp\.escape needs Chromium 136/,
      'Uncaught (in promise) TypeError: (intermediate value).bytes is not a function':
        /bytes needs Chromium 132/,
      'Uncaught TypeError: this.cache.getOrInsert is not a function': /getOrInsert needs Chromium 145/,
      'Uncaught ReferenceError: Float16Array is not defined': /Float16Array needs Chromium 135/,
      'Uncaught ReferenceError: chart is not defined': undefined,
      'Uncaught TypeError: rows.join is not a function': undefined,
      'Uncaught TypeError: text.escape is not a function': undefined,
      'Uncaught Error: constructor is not a function': undefined,
    };
    for (const [text, expected] of Object.entries(errors)) {
      const { sentence } = onlyFinding(consoleLine(text, 'exception'));
      if (expected === undefined) assert.doesNotMatch(sentence, /needs Chromium/, text);
      else assert.match(sentence, expected);
    }
  });
});
