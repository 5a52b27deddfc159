import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findKey, newKey, newKeyId, hashKey, type HashedKey } from '../../../main/accounts/keys.ts';

test('a key has 160 random bits, and no two keys are equal', () => {
  const keys = Array.from({ length: 1000 }, newKey);
  assert.equal(new Set(keys).size, 1000);
  for (const key of keys) assert.match(key, /^[0-9a-f]{40}$/);
  for (let digit = 0; digit < 40; digit += 1)
    assert.equal(new Set(keys.map((key) => key[digit])).size, 16, `digit ${digit} takes every value`);
  assert.match(newKeyId(), /^[0-9a-f]{8}$/);
});

test('each key has its own salt, so equal keys have different hashes', () => {
  const first = hashKey('same');
  const second = hashKey('same');
  assert.notEqual(first.salt, second.salt);
  assert.notEqual(first.hash, second.hash);
  assert.doesNotMatch(JSON.stringify(first), /same/);
});

const none: readonly HashedKey[] = [];

test('a key matches only its own hash among several', () => {
  const keys = ['one', 'two', 'three', 'four', 'five', 'six'];
  const hashedKeys = keys.map(hashKey);
  keys.forEach((key, index) => {
    assert.equal(findKey(key, hashedKeys), hashedKeys[index]);
  });
  for (const key of ['', 'One', 'on', 'onetwo', 'seven', hashedKeys[0]?.hash ?? ''])
    assert.equal(findKey(key, hashedKeys), undefined, key);
  for (const key of ['one', '']) assert.equal(findKey(key, none), undefined, key);
});
