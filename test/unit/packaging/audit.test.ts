import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditResult } from '../../../build/packaging/audit-result.ts';

const report = (counts: Record<string, number>, vulnerabilities = {}) =>
  `npm warn something\n${JSON.stringify({ vulnerabilities, metadata: { vulnerabilities: { high: 0, critical: 0, total: 0, ...counts } } })}\n`;

test('the report of vulnerabilities names high ones before lower ones', () => {
  const { ok, sentence } = auditResult(report({ low: 2, total: 2 }));
  assert.equal(ok, true);
  assert.match(sentence, /nothing high, 2 lower/);
});

test('a vulnerability of severity high stops the packaging and is named', () => {
  const high = report({ critical: 1, total: 1 }, { evil: { name: 'evil', severity: 'critical' } });
  assert.equal(auditResult(high).ok, false);
  assert.match(auditResult(high).sentence, /1 with .*evil/);
});

test('a registry without advisories is not reported as "nothing found"', () => {
  const refused =
    'npm warn audit 405 Method Not Allowed\n{\n  "message": "405 Method Not Allowed - POST https://a",\n  "error": {} }\n';
  assert.match(auditResult(refused).sentence, /^NOT AUDITED: .*405/);
  assert.match(auditResult('').sentence, /^NOT AUDITED: /);
});
