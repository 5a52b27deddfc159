/** Owns the reporter that writes one line per finished test, so that even a killed run can be counted and timed. */

import path from 'node:path';

/** @typedef {'pass' | 'fail' | 'skip' | 'suite'} Word suites are timed, and not counted */

/** @param {AsyncIterable<{ type: string, data: any }>} events of node:test */
export default async function* tally(events) {
  for await (const { type, data } of events) {
    yield lineFor(type, data);
  }
}

/**
 * For a test's end its word, how many suites it is in, its milliseconds, its file, its name and, when it failed, why, with tabs
 * between; nothing for any other event.
 * @param {string} type @param {any} data
 */
export function lineFor(type, data) {
  if (type !== 'test:pass' && type !== 'test:fail') return '';
  // A file without a test passes as if it were one, under its own path.
  if (type === 'test:pass' && path.isAbsolute(data.name) && data.name.endsWith('.test.ts')) return '';
  const facts = [data.nesting, Math.round(data.details?.duration_ms ?? 0), data.file ?? '', data.name];
  if (type === 'test:fail') facts.push(reasonOf(data.details?.error));
  return `${[wordFor(type, data), ...facts].map((fact) => String(fact).replaceAll(/\s+/g, ' ')).join('\t')}\n`;
}

/** @param {'test:pass' | 'test:fail'} type @param {any} data @returns {Word} */
function wordFor(type, data) {
  if (data.details?.type === 'suite') return 'suite';
  if (data.skip !== undefined || data.todo !== undefined) return 'skip';
  return type === 'test:fail' ? 'fail' : 'pass';
}

/** Characters. An assertion lists both values, which may be whole pages. */
const LONGEST_REASON = 1500;

/** node:test wraps what was thrown. @param {any} error */
function reasonOf(error) {
  const thrown = error?.cause ?? error;
  return String(thrown?.stack ?? thrown ?? '').slice(0, LONGEST_REASON);
}
