/** Repeats failed test files once, because a test that waits for a browser can fail on a machine that is busy with something else. */

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {import('./tally.mjs').FailedTest} FailedTest */

/** Failures in more files than this have a common cause, which a second attempt would only confirm. */
const maxFiles = 5;

/**
 * Runs the files of the failed tests again. A test that passes on the second attempt counts as passed and is listed as unstable; a
 * test that fails only on the second attempt is unstable too. There is no second attempt after a failure of the suite itself or
 * after failures in many files.
 * @param {Tally} first
 * @param {readonly string[]} files all files of the suite, relative to the project
 * @param {(files: string[]) => Promise<Tally>} run
 * @returns {Promise<Tally>}
 */
export async function withSecondAttempt(first, files, run) {
  const failedFiles = [...new Set(first.failures.map(({ file = '' }) => file))];
  const isRepeatable = failedFiles.length <= maxFiles && failedFiles.every((file) => files.includes(file));
  if (failedFiles.length === 0 || !isRepeatable) return first;
  const second = await run(failedFiles);
  const suiteFailures = second.failures.filter(({ file }) => file === undefined);
  if (suiteFailures.length > 0) {
    const failures = [...first.failures, ...suiteFailures];
    return { ...first, failed: failures.length, failures };
  }
  const failures = first.failures.filter((one) => second.failures.some((other) => isSameTest(one, other)));
  const unstable = [...first.failures, ...second.failures].filter(
    (one) => !failures.some((failure) => isSameTest(one, failure)),
  );
  const passed = first.passed + first.failures.length - failures.length;
  return { ...first, passed, failed: failures.length, failures, unstable };
}

/** @param {FailedTest} one @param {FailedTest} other */
function isSameTest(one, other) {
  return one.file === other.file && one.name === other.name;
}
