/** A test reporter that writes a line when a test ends, so that the tests of a killed run are also counted and timed. */

import path from 'node:path';

/** @typedef {'pass' | 'fail' | 'skip' | 'suite'} TestOutcome suites are timed but not counted */

/** @param {AsyncIterable<{ type: string, data: any }>} events of node:test */
export default async function* tally(events) {
  for await (const { type, data } of events) {
    yield lineFor(type, data);
  }
}

/**
 * Returns the line for the end of a test: outcome, depth, milliseconds, file, name and, for a failure, the reason, separated by
 * tabs. Returns an empty string for any other event.
 * @param {string} type @param {any} data
 */
export function lineFor(type, data) {
  if (type !== 'test:pass' && type !== 'test:fail') return '';
  // A file without tests passes, and a file that hangs or crashes fails, as if it were a test, with its path as the name.
  const isFile = path.isAbsolute(data.name) && /\.test\.(ts|mjs)$/.test(data.name);
  if (type === 'test:pass' && isFile) return '';
  const name = isFile ? 'the file as a whole' : data.name;
  const facts = [data.nesting, Math.round(data.details?.duration_ms ?? 0), data.file ?? '', name];
  if (type === 'test:fail') facts.push(reasonOf(data.details?.error));
  return `${[outcomeFor(type, data), ...facts].map((fact) => String(fact).replaceAll(/\s+/g, ' ')).join('\t')}\n`;
}

/** @param {'test:pass' | 'test:fail'} type @param {any} data @returns {TestOutcome} */
function outcomeFor(type, data) {
  const failureType = data.details?.error?.failureType;
  // A hook of a suite can fail while all tests of the suite pass.
  if (data.details?.type === 'suite' && (type === 'test:pass' || failureType === 'subtestsFailed'))
    return 'suite';
  if (data.skip !== undefined || data.todo !== undefined) return 'skip';
  return type === 'test:fail' ? 'fail' : 'pass';
}

/** The maximum length of a reason. The message of an assertion contains the actual and expected values, which may be long. */
const longestReason = 1500;

/**
 * Returns the stack of the thrown error, which node:test wraps in another error, and the messages of its causes: the message of a
 * failed `fetch` says nothing about the reason.
 * @param {any} error
 */
function reasonOf(error) {
  const thrown = error?.cause ?? error;
  const reason = String(thrown?.stack ?? thrown ?? '').slice(0, longestReason);
  return [reason, ...causesOf(thrown)].join(', caused by ');
}

/** @param {any} thrown @returns {string[]} the messages of the causes of an error, at most three */
function causesOf(thrown) {
  const causes = [];
  for (let cause = thrown?.cause; cause !== undefined && causes.length < 3; cause = cause?.cause)
    causes.push(String(cause).slice(0, longestReason));
  return causes;
}
