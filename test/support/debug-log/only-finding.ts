/** Derives findings from debug log events, for tests of single findings. */
import assert from 'node:assert/strict';
import type { LogEvent } from '../../../main/log/events.ts';
import { findingsOf } from '../../../main/log/findings.ts';
import type { Finding } from '../../../main/log/findings/finding.ts';
import { at } from './debug-log-lines.ts';

/** Returns the findings for these events. Without an `end` event, it adds one of a successful conversion. */
export function findingsAfterSuccess(...events: LogEvent[]): Finding[] {
  const end = at(0, { kind: 'end', text: 'converted', detail: { outcome: 'converted' } });
  return findingsOf(events.some(({ kind }) => kind === 'end') ? events : [...events, end]);
}

/** Returns the only finding. @throws AssertionError if there is none, or more than one */
export function onlyFinding(...events: LogEvent[]): Finding {
  const [only, ...more] = findingsAfterSuccess(...events);
  assert.ok(only && more.length === 0, JSON.stringify([only, ...more], null, 1));
  return only;
}
