import assert from 'node:assert/strict';
import { test } from 'node:test';
import { affordableConnections } from '../../../main/http/descriptors.ts';

test('callers may have as many connections as are wished for, and half of the descriptors at most', () => {
  assert.equal(affordableConnections(1000, Infinity), 1000);
  assert.equal(affordableConnections(1000, 2001), 1000);
  assert.equal(affordableConnections(1000, 121), 60);
  assert.equal(affordableConnections(10, 121), 10);
});

test('with hardly any descriptors there are a few connections, and no more than are wished for', () => {
  assert.equal(affordableConnections(1000, -5), 16);
  assert.equal(affordableConnections(3, 0), 3);
});

test('this very process may open some files', () => {
  assert.ok(affordableConnections(20) >= 16);
});
