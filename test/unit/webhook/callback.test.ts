import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure } from '../../../main/failure/failure.ts';
import { readCallbackUrl } from '../../../main/webhook/callback.ts';

const read = (text: string, secret: string | null = 'whsec_x') => readCallbackUrl(text, secret, 'ann');

function messageOf(text: string, secret?: string | null): string {
  let message = '';
  assert.throws(
    () => read(text, secret),
    (problem) => {
      assert.ok(problem instanceof Failure);
      assert.equal(problem.kind, 'valueNotAllowed');
      message = problem.message;
      return true;
    },
  );
  return message;
}

describe('callback_url', () => {
  test('is a complete http or https URL; its fragment is left out', () => {
    assert.equal(read('https://Example.com/hook?a=1#part').href, 'https://example.com/hook?a=1');
    assert.equal(read('http://10.0.0.5:8080').href, 'http://10.0.0.5:8080/');
    for (const text of [
      '',
      'example.com/hook',
      '/hook',
      'ftp://example.com/',
      'javascript:alert(1)',
      'http://',
    ])
      assert.match(messageOf(text), /complete http: or https: URL/, text);
    assert.match(messageOf('http://example.com:0/'), /port/);
    assert.match(messageOf(`http://example.com/${'a'.repeat(2000)}`), /2000 characters/);
  });

  test('contains no user name and password, and the message does not repeat them', () => {
    const message = messageOf('https://ann:s3cret@example.com/hook');
    assert.match(message, /without user name and password/);
    assert.doesNotMatch(message, /s3cret/);
  });

  test('needs a secret of the account; the message names the command that creates one', () => {
    assert.match(messageOf('https://example.com/', null), /platen account webhook-secret ann/);
  });
});
