/** Reads the findings of a converted job, and asserts on a single one. */
import assert from 'node:assert/strict';
import type { LogEvent } from '../../main/log/events.ts';
import { findingsOf } from '../../main/log/findings.ts';
import type { Finding } from '../../main/log/findings/finding.ts';
import { at } from './debug-log-lines.ts';

/** The findings of a successful job, unless the events contain another end. */
export function findingsAfterSuccess(...events: LogEvent[]): Finding[] {
  const end = at(0, { kind: 'end', text: 'converted', detail: { outcome: 'converted' } });
  return findingsOf(events.some(({ kind }) => kind === 'end') ? events : [...events, end]);
}

/** @throws AssertionError unless there is exactly one finding */
export function onlyFinding(...events: LogEvent[]): Finding {
  const [only, ...more] = findingsAfterSuccess(...events);
  assert.ok(only && more.length === 0, JSON.stringify([only, ...more], null, 1));
  return only;
}
