import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretsInQuery, withoutCredentials } from '../../../main/log/masking.ts';

test('secret fields in the query, path and fragment of a URL are masked, and its password is removed', () => {
  for (const [address = '', shown = ''] of [
    ['http://a/?PHPSESSID=abc&x=1', 'http://a/?PHPSESSID=***&x=1'],
    ['http://a/p;jsessionid=abc?y=2', 'http://a/p;jsessionid=***?y=2'],
    ['http://a/#access_token=abc&z=1', 'http://a/#access_token=***&z=1'],
    ['http://a/?AWSAccessKeyId=K&Signature=S', 'http://a/?AWSAccessKeyId=***&Signature=***'],
    ['http://ann:pw@a/?user.password=p', 'http://a/?user.password=***'],
    ['http://a/?monkey=1&design=2&page=3&compass=4', 'http://a/?monkey=1&design=2&page=3&compass=4'],
  ])
    assert.equal(withoutCredentials(address), shown);
});

test('the values of secret fields in a URL are found, so that they can be masked in other strings too', () => {
  assert.deepEqual(secretsInQuery('http://a/?token=one&x=2#id_token=three'), ['one', 'three']);
});
