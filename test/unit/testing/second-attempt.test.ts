import { deepEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { project } from '../../support/service/service.ts';

interface ExpectedFailure {
  readonly file?: string;
  readonly name?: string;
  readonly text: string;
}

interface ExpectedTally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly ExpectedFailure[];
  readonly unstable: readonly ExpectedFailure[];
}

const module = pathToFileURL(join(project, 'build', 'testing', 'second-attempt.mjs')).href;
const { withSecondAttempt } = (await import(module)) as {
  withSecondAttempt: (
    first: ExpectedTally,
    files: readonly string[],
    run: (files: string[]) => Promise<ExpectedTally>,
  ) => Promise<ExpectedTally>;
};

const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.test.ts`);

const failureIn = (file: string, name = 'one'): ExpectedFailure => ({ file, name, text: `${file}: ${name}` });

const tallyOf = (passed: number, failures: readonly ExpectedFailure[]): ExpectedTally => ({
  passed,
  failed: failures.length,
  skipped: 1,
  failures,
  unstable: [],
});

test('a test that passes on the second attempt counts as passed and is listed as unstable', async () => {
  const a = failureIn('a.test.ts');
  const b = failureIn('b.test.ts');
  const tally = await withSecondAttempt(tallyOf(5, [a, b]), files, (failedFiles) => {
    deepEqual(failedFiles, ['a.test.ts', 'b.test.ts']);
    return Promise.resolve(tallyOf(3, [b]));
  });
  deepEqual(tally, { passed: 6, failed: 1, skipped: 1, failures: [b], unstable: [a] });
});

test('a test that fails only on the second attempt is listed as unstable', async () => {
  const one = failureIn('a.test.ts');
  const two = failureIn('a.test.ts', 'two');
  const tally = await withSecondAttempt(tallyOf(5, [one]), files, () => Promise.resolve(tallyOf(3, [two])));
  deepEqual(tally, { passed: 6, failed: 0, skipped: 1, failures: [], unstable: [one, two] });
});

test('a second attempt that ends early saves no test', async () => {
  const killed = { text: 'The api tests were killed after 40 minutes.' };
  const first = tallyOf(5, [failureIn('a.test.ts')]);
  const tally = await withSecondAttempt(first, files, () => Promise.resolve(tallyOf(0, [killed])));
  deepEqual(tally, { ...first, failed: 2, failures: [...first.failures, killed] });
});

test('there is no second attempt without failures, after a failure of the suite, or after failures in many files', async () => {
  const notRun = () => Promise.reject(new Error('the tests were repeated'));
  const tallies = [
    tallyOf(5, []),
    tallyOf(5, [{ text: 'killed' }]),
    tallyOf(
      5,
      files.map((file) => failureIn(file)),
    ),
  ];
  for (const tally of tallies) deepEqual(await withSecondAttempt(tally, files, notRun), tally);
});
