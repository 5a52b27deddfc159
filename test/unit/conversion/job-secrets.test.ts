import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretsOf } from '../../../main/conversion/job-parameters.ts';
import { DebugLog } from '../../../main/log/debug-log.ts';
import { hiddenValues } from '../../../main/log/masking.ts';
import { formOf } from '../job/forms.ts';

test('passwords, tokens and cookie values inside options are masked in every encoding', () => {
  const secrets = secretsOf(
    formOf({
      url: 'https://someone:p%40ssword@a.example/?page=2&token=opaque%2Btoken&key=name',
      https_proxy: 'user:proxypass@proxy.example:80',
      cookies: 'session=abc def; consent=true; "q"="quoted"',
      custom_http_header: 'Authorization: Basic bWU6aGVhZGVy',
      http_auth_user_name: 'anna',
      http_auth_password: 'opensesame',
      user_password: 'first second',
      title: 'http in the title: user:nosecret@example.com',
    }),
  );
  const hidden = hiddenValues();
  hidden.hide(secrets);
  const maskedText = hidden.masked;
  for (const text of [
    'p%40ssword',
    'p@ssword',
    'opaque%2Btoken',
    'opaque+token',
    'proxypass',
    'abc def',
    'abc%20def',
    'quoted',
    'bWU6aGVhZGVy',
    'header',
    'anna',
    'opensesame',
    'YW5uYTpvcGVuc2VzYW1l',
    'first second',
    'first%20second',
  ])
    assert.equal(maskedText(`<${text}>`), '<***>', text);
  assert.equal(maskedText('true name nosecret Basic'), 'true name nosecret Basic');
});

test('the password of a URL is a secret even without a scheme', () => {
  assert.ok(secretsOf(formOf({ url: 'ann:opensesame@a.example/' })).includes('opensesame'));
});

test('text options, empty values and the word true are not secrets', () => {
  assert.deepEqual(secretsOf(formOf({ text: 'a:b@c', cookies: 'a=true', http_auth_password: '' })), [
    'a=true',
    'a%3Dtrue',
  ]);
});

test('a secret may contain a lone surrogate', () => {
  assert.deepEqual(secretsOf(formOf({ cookies: 'a=\ud800bcd' })).slice(2), ['\ud800bcd', '%EF%BF%BDbcd']);
});

test('a URL of more than 4,000 characters is cut at a character boundary', () => {
  const before = 'http://a.example/?token=';
  const token = 'a'.repeat(4000 - before.length - 1);
  assert.deepEqual(secretsOf(formOf({ url: `${before}${token}😀bcdefgh` })), [token]);
});

test('of a hundred thousand cookies, as many are returned as mask all texts', () => {
  const cookies = Array.from({ length: 100_000 }, (_, index) => `c${index}=value${index}`).join(';');
  const log = new DebugLog();
  const secrets = secretsOf(formOf({ cookies }));
  log.hide(secrets);
  assert.equal(log.masked('value99999'), '***');
  assert.ok(secrets.length < 1000, `${secrets.length}`);
});
