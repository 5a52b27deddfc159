import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentTypeOf, htmlText, withDefaultCharset } from '../../../main/input/html-text.ts';

const utf8 = 'text/html; charset=utf-8';
const undeclared = 'text/html';
const latin1 = (text: string) => Buffer.from(text, 'latin1');

test('valid UTF-8 without a declaration is UTF-8', () => {
  for (const text of ['<p>Grüße 😀</p>', '<p>plain</p>', '', '<p>charset=x</p>', '<p>meta charset=x']) {
    assert.equal(contentTypeOf(Buffer.from(text)), utf8, text);
  }
});

test('invalid UTF-8 without a declaration is left to the browser', () => {
  assert.equal(contentTypeOf(latin1('<p>Gr\xfc\xdfe</p>')), undeclared);
  assert.equal(contentTypeOf(Buffer.from('<p>ü').subarray(0, -1)), undeclared);
});

test('a declared encoding is left to the browser, whatever the bytes are', () => {
  const declarations = [
    '<meta charset=windows-1252>',
    '<META name=x CHARSET = "koi8-r">',
    '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">',
    '<?xml version="1.0" encoding="x"?><html>',
    '\n <?xml version="1.0" encoding="x"?>',
  ];
  for (const declaration of declarations)
    assert.equal(contentTypeOf(latin1(declaration)), undeclared, declaration);
});

test('a declaration is found after a long style sheet, but not far into the body', () => {
  assert.equal(contentTypeOf(latin1(`<style>${'a'.repeat(10_000)}</style><meta charset=x>`)), undeclared);
  assert.equal(contentTypeOf(latin1(`<p>${'a'.repeat(20_000)}<meta charset=x>`)), utf8);
});

test('a byte order mark is left to the browser', () => {
  for (const mark of ['\xef\xbb\xbf', '\xfe\xff', '\xff\xfe'])
    assert.equal(contentTypeOf(latin1(`${mark}<p>`)), undeclared);
});

test('default_encoding applies to files without a declaration, even to valid UTF-8', () => {
  assert.equal(contentTypeOf(latin1('<p>\xe8'), 'iso-8859-2'), 'text/html; charset=iso-8859-2');
  assert.equal(contentTypeOf(Buffer.from('<p>č'), 'iso-8859-2'), 'text/html; charset=iso-8859-2');
  assert.equal(contentTypeOf(latin1('<meta charset=x><p>'), 'iso-8859-2'), undeclared);
  assert.equal(contentTypeOf(latin1('\xef\xbb\xbf<p>'), 'iso-8859-2'), undeclared);
});

test('a response gets default_encoding only without another declaration', () => {
  const typeFor = (type: string, body = '<p>') => withDefaultCharset(type, latin1(body), 'koi8-r');
  assert.equal(typeFor('text/html'), 'text/html; charset=koi8-r');
  assert.equal(typeFor('Text/HTML; charset='), 'text/html; charset=koi8-r');
  assert.equal(typeFor(''), 'text/html; charset=koi8-r');
  for (const type of ['text/html; Charset=utf-8', 'application/xhtml+xml', 'image/svg+xml', 'image/png'])
    assert.equal(typeFor(type), undefined, type);
  assert.equal(typeFor('text/html', '<meta charset="x">'), undefined);
  assert.equal(typeFor('text/html', '\xff\xfe<\0'), undefined);
});

test('a byte order mark sets the encoding of a template and is removed', () => {
  const bytes = Buffer.from('\ufeff<p>Grüße');
  assert.equal(htmlText(bytes), '<p>Grüße');
  assert.equal(htmlText(bytes, { contentType: 'text/html; charset=iso-8859-1' }), '<p>Grüße');
});
