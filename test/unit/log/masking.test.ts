import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretsInQuery, withoutCredentials } from '../../../main/log/masking.ts';

test('only secret fields of a URL are masked, in query, path and fragment', () => {
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

test('masked values of a URL are returned, because other texts may contain them', () => {
  assert.deepEqual(secretsInQuery('http://a/?token=one&x=2#id_token=three'), ['one', 'three']);
});
