/** Looks at the findings of a job that was converted, and at the one there should be. */
import assert from 'node:assert/strict';
import type { LogEvent } from '../../main/log/events.ts';
import { findingsOf } from '../../main/log/findings.ts';
import type { Finding } from '../../main/log/findings/finding.ts';
import { at } from './debug-log-lines.ts';

/** Of a job that went well, unless these events have another end. */
export function findings(...events: LogEvent[]): Finding[] {
  const end = at(0, { kind: 'end', text: 'converted', detail: { outcome: 'converted' } });
  return findingsOf(events.some(({ kind }) => kind === 'end') ? events : [...events, end]);
}

/** @throws AssertionError when there is none or another one besides. */
export function onlyFinding(...events: LogEvent[]): Finding {
  const [only, ...more] = findings(...events);
  assert.ok(only && more.length === 0, JSON.stringify([only, ...more], null, 1));
  return only;
}
