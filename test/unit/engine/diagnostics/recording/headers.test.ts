import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstHeaders, loggedHeaders } from '../../../../../main/engine/diagnostics/recording/messages.ts';

const secrets = ['Authorization', 'Cookie', 'set-cookie', 'Proxy-Authorization', 'X-Api-Key', 'x-csrf-token'];

test('a log masks headers with credentials and the custom header of the job', () => {
  const headers = Object.fromEntries([...secrets, 'X-Mine'].map((name) => [name, 'marker']));
  const shown = loggedHeaders(headers, 'x-mine');
  assert.deepEqual(new Set(shown.map(({ value }) => value)), new Set(['***']));
  assert.equal(shown.length, 7);
});

test('a log shows other headers in full, one line for each value', () => {
  assert.deepEqual(
    loggedHeaders({ ':authority': 'a.example', vary: 'a\nb', 'Content-Type': 'text/css' }, undefined),
    [
      { name: ':authority', value: 'a.example' },
      { name: 'vary', value: 'a' },
      { name: 'vary', value: 'b' },
      { name: 'Content-Type', value: 'text/css' },
    ],
  );
});

test('URLs in headers show neither credentials nor the name of a job folder', () => {
  const Referer = 'platen://job/31d6158f-f919-4f77-a656-7fbb444b699c/index.html';
  const Location = 'https://me:pass@a.example/x?access_token=abc';
  assert.deepEqual(
    loggedHeaders({ Referer, Location }, undefined).map(({ value }) => value),
    ['index.html', 'https://a.example/x?access_token=***'],
  );
});

test('only the first headers are kept if a server sends very many or very long ones', () => {
  const few = { 'content-type': 'text/html', etag: '"1"' };
  assert.deepEqual(firstHeaders(few), few);
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`x-${n}`, 'value']));
  assert.ok(JSON.stringify(firstHeaders(many)).length < 16_000);
  assert.deepEqual(firstHeaders({ ...few, 'x-long': 'x'.repeat(250_000) }), few);
});
