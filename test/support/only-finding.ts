/** Looks at the one finding there should be. */
import assert from 'node:assert/strict';
import type { LogEvent } from '../../main/log/events.ts';
import { findingsOf } from '../../main/log/findings.ts';
import type { Finding } from '../../main/log/findings/finding.ts';

/** @throws AssertionError when there is none or another one besides. */
export function onlyFinding(...events: LogEvent[]): Finding {
  const findings = findingsOf(events);
  assert.equal(findings.length, 1, JSON.stringify(findings, null, 1));
  assert.ok(findings[0]);
  return findings[0];
}
