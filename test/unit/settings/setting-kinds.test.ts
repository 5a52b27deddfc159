import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountList,
  baseUrl,
  origins,
  proxyUrl,
  vendorPrefix,
} from '../../../main/settings/setting-kinds.ts';

test('accounts are user:key or user:key:credits, separated by commas', () => {
  assert.deepEqual(accountList.read('a:b, c:d:0 ,__proto__:x:999999999999,jürgen:ß'), [
    { user: 'a', key: 'b' },
    { user: 'c', key: 'd', credits: 0 },
    { user: '__proto__', key: 'x', credits: 999_999_999_999 },
    { user: 'jürgen', key: 'ß' },
  ]);
});

test('one malformed account makes the list invalid', () => {
  for (const entry of [
    'a',
    'a:',
    ':b',
    ':',
    'a:b:',
    'a:b:x',
    'a:b:-1',
    'a:b:1.5',
    'a:b:1e3',
    'a:b:1:2',
    `a:b:${'9'.repeat(13)}`,
  ]) {
    assert.equal(accountList.read(`ok:ok,${entry}`), undefined, entry);
  }
});

test('a proxy is an http URL of a host, with or without a password', () => {
  assert.deepEqual(['http://proxy:3128', 'http://me:p%40ss@proxy:3128/'].map(proxyUrl.read), [
    'http://proxy:3128',
    'http://me:p%40ss@proxy:3128',
  ]);
  for (const url of ['proxy:3128', 'socks5://proxy:1', 'http://proxy/path', 'http://', '', 'javascript:1']) {
    assert.equal(proxyUrl.read(url), undefined, url);
  }
});

test('a base URL is an http or https URL without query or fragment, and loses its trailing slash', () => {
  const read = ['https://pdf.example.com/', 'http://a.example/pdf//', 'HTTP://A.example'].map(baseUrl.read);
  assert.deepEqual(read, ['https://pdf.example.com', 'http://a.example/pdf', 'http://a.example']);
  for (const url of [
    'pdf.example.com',
    'ftp://a.example',
    'http://a.example/?x',
    'http://a.example/#x',
    '',
    '/x',
  ]) {
    assert.equal(baseUrl.read(url), undefined, url);
  }
});

test('a vendor prefix is a word of lower-case letters and digits, and never service', () => {
  assert.deepEqual(['pdfcrowd', 'x2', 'constructor'].map(vendorPrefix.read), [
    'pdfcrowd',
    'x2',
    'constructor',
  ]);
  for (const word of [
    'service',
    '',
    'Pdf',
    '2x',
    'a-b',
    'a b',
    'a\r\nx',
    'ä',
    '__proto__',
    'a'.repeat(33),
    'a\n',
  ]) {
    assert.equal(vendorPrefix.read(word), undefined, JSON.stringify(word));
  }
});

test('origins are http or https URLs without a path or a password', () => {
  assert.deepEqual(origins.read('https://ERP.example.com, http://localhost:3000/'), [
    'https://erp.example.com',
    'http://localhost:3000',
  ]);
  for (const text of [
    '*',
    'null',
    'erp.example.com',
    'ftp://a.example',
    'https://a.example/path',
    'https://u:p@a.example',
  ])
    assert.equal(origins.read(text), undefined, text);
});
