import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionLimit } from '../../../../main/http/server/listen.ts';

test('the server allows the configured number of connections, but at most half of the free file descriptors', () => {
  assert.equal(connectionLimit(1000, Infinity), 1000);
  assert.equal(connectionLimit(1000, 2001), 1000);
  assert.equal(connectionLimit(1000, 121), 60);
  assert.equal(connectionLimit(10, 121), 10);
});

test('the server allows at least 16 connections, but never more than configured', () => {
  assert.equal(connectionLimit(1000, -5), 16);
  assert.equal(connectionLimit(3, 0), 3);
});

test('the free file descriptors of this process are counted', () => {
  assert.ok(connectionLimit(20) >= 16);
});
