import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditResult } from '../../../build/packaging/audit-result.ts';

const report = (counts: Record<string, number>, vulnerabilities = {}) =>
  `npm warn something\n${JSON.stringify({ vulnerabilities, metadata: { vulnerabilities: { high: 0, critical: 0, total: 0, ...counts } } })}\n`;

test('an audit with only low vulnerabilities passes, with their number', () => {
  assert.deepEqual(auditResult(report({ low: 2, total: 2 })), {
    ok: true,
    sentence: 'npm audit: no high or critical vulnerabilities, 2 less severe.',
  });
});

test('a critical vulnerability fails the audit and is named', () => {
  const high = report({ critical: 1, total: 1 }, { evil: { name: 'evil', severity: 'critical' } });
  assert.equal(auditResult(high).ok, false);
  assert.match(auditResult(high).sentence, /1 high or critical .*evil/);
});

test('a registry that refuses the audit is reported as NOT AUDITED', () => {
  const refused =
    'npm warn audit 405 Method Not Allowed\n{\n  "message": "405 Method Not Allowed - POST https://a",\n  "error": {} }\n';
  assert.match(auditResult(refused).sentence, /^NOT AUDITED: .*405/);
  assert.match(auditResult('').sentence, /^NOT AUDITED: /);
});
