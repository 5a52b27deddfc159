import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userInfoOf, withoutUserInfoInText, withoutUserInfo } from '../../../main/log/masking.ts';

test('a URL is shown without user and password, whatever characters they contain', () => {
  for (const [value, maskedValue, userInfo] of [
    ['http://ann:pass@a.example/x@y', 'http://a.example/x@y', 'ann:pass'],
    [' HTTP://ann:p@s"s\'@a.example', ' HTTP://a.example', 'ann:p@s"s\''],
    ['https://token@a.example/', 'https://a.example/', 'token'],
    ['ann:pass@a.example:80', '***@a.example:80', 'ann:pass'],
    ['ann:pass@a.example/path', '***@a.example/path', 'ann:pass'],
  ] as const) {
    assert.equal(withoutUserInfo(value), maskedValue);
    assert.equal(userInfoOf(value), userInfo);
  }
});

test('a URL without user and password is unchanged', () => {
  for (const value of [
    'http://a.example/x@y',
    'http://a.example?mail=ann@b.example',
    'a.example:80',
    'ann@b.example',
    'Re: ann@b.example',
    'data:text/html,a@b',
    '',
  ]) {
    assert.equal(withoutUserInfo(value), value);
    assert.equal(userInfoOf(value), '');
  }
});

test('URLs in a string are shown without user and password, and the rest of the text is unchanged', () => {
  assert.equal(
    withoutUserInfoInText('see "http://ann:p@ss@a.example", (wss://t@b.example/c@d) or ann@b.example: a:b@c'),
    'see "http://a.example", (wss://b.example/c@d) or ann@b.example: a:b@c',
  );
  assert.equal(withoutUserInfoInText('at http://ann:p@a.example', '?@'), 'at http://?@a.example');
});

test('a URL with an unterminated user of a megabyte is read in less than a second', () => {
  const began = performance.now();
  withoutUserInfo('a:'.repeat(500_000));
  withoutUserInfoInText('a://b:'.repeat(200_000));
  assert.ok(performance.now() - began < 1000);
});
