import { match, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { project } from '../../support/service/service.ts';

const reporter = pathToFileURL(join(project, 'build', 'testing', 'tally-reporter.mjs')).href;
const { lineFor } = (await import(reporter)) as {
  lineFor: (type: string, data: object) => string;
};

const suite = (failureType: string) => ({
  nesting: 0,
  name: 'a suite',
  file: '/suite.test.ts',
  details: { type: 'suite', duration_ms: 5, error: { failureType, cause: 'the hook failed' } },
});

test('a suite whose hook fails counts as a failed test, and a suite with a failed test does not', () => {
  strictEqual(
    lineFor('test:fail', suite('hookFailed')),
    'fail\t0\t5\t/suite.test.ts\ta suite\tthe hook failed\n',
  );
  strictEqual(
    lineFor('test:fail', suite('subtestsFailed')),
    'suite\t0\t5\t/suite.test.ts\ta suite\tthe hook failed\n',
  );
});

test('the reason of a failure has the causes of its error', () => {
  const cause = new Error('fetch failed', {
    cause: Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
  });
  const failed = {
    nesting: 0,
    name: 'a test',
    file: '/a.test.ts',
    details: { duration_ms: 5, error: { cause } },
  };
  match(lineFor('test:fail', failed), /\tError: fetch failed at .*, caused by Error: write EPIPE\n$/);
});

test('a file that hangs counts as a failed test that has no path as its name', () => {
  const hangs = {
    nesting: 0,
    name: '/a.test.mjs',
    file: '/a.test.mjs',
    details: { duration_ms: 5, error: { failureType: 'testTimeoutFailure', cause: 'test timed out' } },
  };
  strictEqual(lineFor('test:fail', hangs), 'fail\t0\t5\t/a.test.mjs\tthe file as a whole\ttest timed out\n');
  strictEqual(lineFor('test:pass', hangs), '');
});
