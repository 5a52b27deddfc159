import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportText } from '../../../main/self-test/report-text.ts';

const passedCheck = { name: 'colours', passed: true, message: 'All are right.', took: 12 } as const;
const doubtful = { name: 'scripts', passed: true, warning: true, message: 'No Korean.', took: 1200 } as const;
const broken = { name: 'tall image', passed: false, message: 'Row 3 is red. Restart.', took: 7 } as const;

function textOf(...checks: readonly (typeof passedCheck | typeof doubtful | typeof broken)[]): string {
  return reportText({ passed: checks.every(({ passed }) => passed), began: 0, took: 2345, checks });
}

test('a report is a table of states, names, milliseconds and messages, with a summary', () => {
  assert.equal(
    textOf(passedCheck, doubtful, broken),
    `ok      colours         12 ms  All are right.
warning scripts       1200 ms  No Korean.
failed  tall image       7 ms  Row 3 is red. Restart.

1 of 3 checks failed, with a warning; it took 2.3 s.
`,
  );
});

test('a report without failures says that all checks passed, and counts warnings', () => {
  assert.match(textOf(passedCheck), /\n\nAll checks passed; it took 2\.3 s\.\n$/);
  assert.match(textOf(passedCheck, doubtful, doubtful), /All checks passed, with 2 warnings; /);
});
