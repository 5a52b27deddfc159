import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { hiddenValues } from '../../../main/log/masking.ts';

function hiding(...values: string[]) {
  const hidden = hiddenValues();
  hidden.hide(values);
  return hidden;
}

describe('a hidden value', () => {
  test('is masked at every position', () => {
    const { masked } = hiding('secret', 'a.b*c(', 'x\n"y"');
    assert.equal(
      masked('secret, a secretsecret and a.b*c( or x\n"y"; aXb*c('),
      '***, a ****** and *** or ***; aXb*c(',
    );
  });

  test('that is a prefix of another hidden value does not reveal the rest of that value', () => {
    const long = 'token-'.repeat(100);
    const { masked } = hiding('token', long, `${long}more`);
    assert.equal(masked(`<${long}more> <${long}> <token>`), '<***> <***> <***>');
  });

  test('of any length is masked even if the text is cut off within the value', () => {
    const long = Array.from({ length: 300 }, (_, index) => index.toString(36)).join('');
    assert.equal(hiding(long).masked(`{"jwt":"${long.slice(0, 200)}...`), '{"jwt":"***...');
  });

  test('may be added later', () => {
    const hidden = hiding('first');
    assert.equal(hidden.masked('first second'), '*** second');
    hidden.hide(['second']);
    assert.equal(hidden.masked('first second'), '*** ***');
  });

  test('of three characters is not masked, because it would match everywhere', () => {
    assert.equal(hiding('abc', '').masked('abcd'), 'abcd');
  });

  test('is found among any values and in any text', () => {
    const value = fc.string({ unit: 'binary', minLength: 4, maxLength: 120 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), fc.string(), (values, around) => {
        const { masked } = hiding(...values);
        for (const value of values) {
          const text = masked(around + value + around);
          assert.ok(!text.replaceAll('***', '').includes(value) || around.includes(value));
        }
      }),
    );
  });
});

describe('more values than the limit', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `value${index}`);

  test('cause all strings to be masked completely, without a search', () => {
    const began = performance.now();
    const hidden = hiding(...many.slice(0, 401));
    assert.equal(hidden.hasTooMany(), true);
    for (const text of many) assert.equal(hidden.masked(text), '***');
    assert.ok(performance.now() - began < 1000);
  });

  test('do not include repetitions of the same values', () => {
    const hidden = hiding(...many.slice(0, 400), ...many.slice(0, 400));
    assert.equal(hidden.hasTooMany(), false);
    assert.equal(hidden.masked('value399 value400'), '*** ***0');
  });

  test('from servers are hidden only up to the limit, so that the log stays readable', () => {
    const hidden = hiding('secret');
    hidden.hideLimited(many);
    assert.equal(hidden.hasTooMany(), false);
    assert.equal(hidden.masked('a secret and value7'), 'a *** and ***');
  });
});

test('a megabyte of text is searched for four hundred long values within five seconds', () => {
  const values = Array.from({ length: 400 }, (_, index) => `${'long '.repeat(200)}${index}`);
  const { masked } = hiding(...values);
  const text = `${'long '.repeat(150)}and more, `.repeat(13);
  const began = performance.now();
  for (let index = 0; index < 100; index += 1) masked(text);
  assert.ok(performance.now() - began < 5000);
});
