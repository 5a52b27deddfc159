import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  outcomeOf,
  withoutErrorNames,
} from '../../../../../main/engine/diagnostics/recording/network-errors.ts';

test('closed ports, filtered ports, unknown names and non-HTTP servers look the same in a log, so the log reveals no open ports', () => {
  const errors = ['CONNECTION_REFUSED', 'CONNECTION_TIMED_OUT', 'NAME_NOT_RESOLVED', 'EMPTY_RESPONSE'];
  const more = [
    'TUNNEL_CONNECTION_FAILED',
    'INVALID_HTTP_RESPONSE',
    'CONNECTION_RESET',
    'FAILED',
    'NEW_IN_CHROMIUM',
  ];
  for (const name of [...errors, ...more])
    assert.deepEqual(outcomeOf({ error: `net::ERR_${name}` }), { failed: 'could not be loaded' }, name);
});

test('failures that the page or its servers can fix are reported with their cause', () => {
  const outcome = (error: string, reason?: string) => outcomeOf({ error: `net::ERR_${error}`, reason });
  assert.deepEqual(outcome('TOO_MANY_REDIRECTS'), { failed: 'redirected too often' });
  assert.match(outcome('CERT_DATE_INVALID').failed ?? '', /TLS/);
  assert.match(outcome('BLOCKED_BY_CLIENT', 'csp').blocked ?? '', /Content-Security-Policy/);
  assert.match(outcome('BLOCKED_BY_RESPONSE', 'corp-not-same-origin').blocked ?? '', /server does not allow/);
  assert.match(outcome('UNKNOWN_URL_SCHEME').blocked ?? '', /scheme/);
  assert.match(outcomeOf({ error: 'net::ERR_FAILED', cors: true }).blocked ?? '', /CORS/);
});

test("network error names in Chromium's messages are replaced with the descriptions of failed requests", () => {
  assert.equal(
    withoutErrorNames('Failed to load x: net::ERR_CONNECTION_REFUSED, y (ERR_UNSAFE_PORT)'),
    'Failed to load x: could not be loaded, y blocked: browsers refuse to connect to this port',
  );
});
