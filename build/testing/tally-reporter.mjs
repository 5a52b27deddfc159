/** Owns the reporter that writes one word per finished test, so that even a killed run can be counted. */

import path from 'node:path';

/** @param {AsyncIterable<{ type: string, data: any }>} events of node:test */
export default async function* tally(events) {
  for await (const { type, data } of events) {
    yield wordFor(type, data);
  }
}

/** A line for a test's end, nothing for any other event. @param {string} type @param {any} data */
export function wordFor(type, data) {
  if (type !== 'test:pass' && type !== 'test:fail') return '';
  if (data.details?.type === 'suite') return '';
  if (data.skip !== undefined || data.todo !== undefined) return 'skip\n';
  if (type === 'test:fail') return 'fail\n';
  // A file without a test passes as if it were one, under its own path.
  return path.isAbsolute(data.name) && data.name.endsWith('.test.ts') ? '' : 'pass\n';
}
