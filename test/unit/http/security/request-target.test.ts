import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toOriginForm } from '../../../../main/http/security/base-url.ts';

const routed = (url: string) => toOriginForm({ url }).url;

test('a target in absolute form is routed by its path and query, with any host', () => {
  assert.equal(routed('http://127.0.0.1:80/convert/24.04/?errfmt=json'), '/convert/24.04/?errfmt=json');
  assert.equal(routed('HTTPS://user@example.com/convert/'), '/convert/');
  assert.equal(routed('http://example.com'), '/');
  assert.equal(routed('http://example.com?a=/b'), '/?a=/b');
});

test('a target that is not a valid URL is routed by its path', () => {
  assert.equal(routed('http://[::1/convert/'), '/convert/');
  assert.equal(routed('http://127.0.0.1:99999999/convert/'), '/convert/');
});

test('a target that is a path is kept, even if it contains a URL', () => {
  for (const path of ['/', '*', '/convert/24.04/', '//convert/', '/x?http://a/b', '/http://a/b'])
    assert.equal(routed(path), path);
});

test('fragments of a target are removed, and characters that a URL cannot contain are percent-encoded', () => {
  assert.equal(routed('//#@a'), '//');
  assert.equal(routed('/convert/#top?a=b'), '/convert/');
  assert.equal(routed('//\u00a0@a'), '//%a0@a');
});
