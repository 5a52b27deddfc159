/** Web addresses as users enter them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemWithUrl, withRecent, withScheme } from '../../../../../renderer/call/input/web-address.ts';

test('an address that the service can load has no problem', () => {
  for (const address of [
    '',
    'http://localhost:8080/a?b=c#d',
    ' https://example.com ',
    'HTTPS://müller.example/ä',
  ])
    assert.equal(problemWithUrl(address), undefined, address);
});

test('an address that the service refuses shows the reason', () => {
  const problems: [string, string][] = [
    ['example.com/a', 'noScheme'],
    ['localhost:8080', 'noScheme'],
    ['example.com:8080/a', 'noScheme'],
    ['/a.html', 'noScheme'],
    ['ftp://example.com', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['mailto:somebody', 'scheme'],
    ['C:\\invoice.html', 'scheme'],
    ['https://example.com/a b', 'blank'],
    ['https://', 'broken'],
    ['http://[::1', 'broken'],
  ];
  for (const [address, problem] of problems) assert.equal(problemWithUrl(address), problem, address);
});

test('an address without a scheme gets https, or http for this machine', () => {
  assert.equal(withScheme(' example.com/a'), 'https://example.com/a');
  assert.equal(withScheme('localhost:8080'), 'http://localhost:8080');
  assert.equal(withScheme('127.0.0.1/a'), 'http://127.0.0.1/a');
  for (const address of ['example.com', 'localhost:1'])
    assert.equal(problemWithUrl(withScheme(address)), undefined);
});

test('the eight most recent addresses are kept, newest first, without duplicates', () => {
  assert.deepEqual(withRecent(['a', 'b'], 'b'), ['b', 'a']);
  const many = Array.from({ length: 20 }, (_, index) => `${index}`).reduce<string[]>(withRecent, []);
  assert.deepEqual(many.slice(0, 2), ['19', '18']);
  assert.equal(many.length, 8);
});
