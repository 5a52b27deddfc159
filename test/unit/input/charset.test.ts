import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentTypeOf } from '../../../main/input/charset.ts';

const utf8 = 'text/html; charset=utf-8';
const unsaid = 'text/html';
const latin1 = (text: string) => Buffer.from(text, 'latin1');

test('sound UTF-8 that declares nothing is UTF-8', () => {
  for (const text of ['<p>Grüße 😀</p>', '<p>plain</p>', '', '<p>charset=x</p>', '<p>meta charset=x']) {
    assert.equal(contentTypeOf(Buffer.from(text)), utf8, text);
  }
});

test('what is no sound UTF-8 and declares nothing is left to the browser', () => {
  assert.equal(contentTypeOf(latin1('<p>Gr\xfc\xdfe</p>')), unsaid);
  assert.equal(contentTypeOf(Buffer.from('<p>ü').subarray(0, -1)), unsaid);
});

test('a declaration is left to the browser, whatever the bytes are', () => {
  const declarations = [
    '<meta charset=windows-1252>',
    '<META name=x CHARSET = "koi8-r">',
    '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">',
    '<?xml version="1.0" encoding="x"?><html>',
    '\n <?xml version="1.0" encoding="x"?>',
  ];
  for (const declaration of declarations)
    assert.equal(contentTypeOf(latin1(declaration)), unsaid, declaration);
});

test('a declaration far down in the head is found, and one beyond any head is not looked for', () => {
  assert.equal(contentTypeOf(latin1(`<style>${'a'.repeat(10_000)}</style><meta charset=x>`)), unsaid);
  assert.equal(contentTypeOf(latin1(`<p>${'a'.repeat(20_000)}<meta charset=x>`)), utf8);
});

test('a byte order mark is left to the browser', () => {
  for (const mark of ['\xef\xbb\xbf', '\xfe\xff', '\xff\xfe'])
    assert.equal(contentTypeOf(latin1(`${mark}<p>`)), unsaid);
});
