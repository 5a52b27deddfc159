import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeOf, withoutErrorNames } from '../../../../main/engine/recording/failure-words.ts';

test('a closed port, a silent one, a missing name and a server of no HTTP cannot be told apart', () => {
  const errors = ['CONNECTION_REFUSED', 'CONNECTION_TIMED_OUT', 'NAME_NOT_RESOLVED', 'EMPTY_RESPONSE'];
  const more = [
    'TUNNEL_CONNECTION_FAILED',
    'INVALID_HTTP_RESPONSE',
    'CONNECTION_RESET',
    'FAILED',
    'NEW_IN_CHROMIUM',
  ];
  for (const name of [...errors, ...more])
    assert.deepEqual(outcomeOf({ error: `net::ERR_${name}` }), { failed: 'did not arrive' }, name);
});

test('what the page or its servers can change is told', () => {
  const told = (error: string, reason?: string) => outcomeOf({ error: `net::ERR_${error}`, reason });
  assert.deepEqual(told('TOO_MANY_REDIRECTS'), { failed: 'redirected too often' });
  assert.match(told('CERT_DATE_INVALID').failed ?? '', /TLS/);
  assert.match(told('BLOCKED_BY_CLIENT', 'csp').blocked ?? '', /Content-Security-Policy/);
  assert.match(told('BLOCKED_BY_RESPONSE', 'corp-not-same-origin').blocked ?? '', /server does not allow/);
  assert.match(told('UNKNOWN_URL_SCHEME').blocked ?? '', /scheme/);
  assert.match(outcomeOf({ error: 'net::ERR_FAILED', cors: true }).blocked ?? '', /CORS/);
});

test("Chromium's own texts keep no name of a network error", () => {
  assert.equal(
    withoutErrorNames('Failed to load x: net::ERR_CONNECTION_REFUSED, y (ERR_UNSAFE_PORT)'),
    'Failed to load x: did not arrive, y blocked: no browser asks this port',
  );
});
