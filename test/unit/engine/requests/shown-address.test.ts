import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isJobFile,
  displayUrl,
  headerFooterName,
  inlineDocumentPage,
  withDisplayUrls,
} from '../../../../main/engine/requests/shown-address.ts';

const folder = 'platen://job/31d6158f-f919-4f77-a656-7fbb444b699c/';

test("a job's files are shown by decoded path, without the name of their folder", () => {
  assert.equal(displayUrl(`${folder}img/Gr%C3%B6%C3%9Fe.svg`), 'img/Größe.svg');
  assert.equal(displayUrl('platen://job/img/a.png'), 'img/a.png');
  assert.equal(displayUrl(`${folder}a%E0%A4%A.png`), 'a%E0%A4%A.png');
  assert.ok(isJobFile(`${folder}a`) && !isJobFile('https://job/a'));
});

test('URLs are shown without user, password and secret fields, and shortened', () => {
  assert.equal(displayUrl('https://me:pass@a.example/x?token=abc&b=1'), 'https://a.example/x?token=***&b=1');
  assert.equal(displayUrl(`https://a.example/${'x'.repeat(1000)}`).length, 300);
  assert.equal(
    displayUrl(`data:image/png;base64,${'A'.repeat(5_000_000)}`),
    'data:image/png;base64,... (5000022 characters)',
  );
  assert.equal(displayUrl('data:,'), 'data:,... (6 characters)');
});

test('URLs inside a string are shown like single URLs', () => {
  assert.equal(
    withDisplayUrls(`at f (${folder}a.js:1:2) and https://me:pass@a.example/x, mail a@b.example`),
    'at f (a.js:1:2) and https://a.example/x, mail a@b.example',
  );
});

test('headers and footers are shown by the name of their option, with the page number if each page has its own document', () => {
  assert.equal(displayUrl(`${folder}letters/${headerFooterName('header_html')}`), 'header_html');
  assert.equal(displayUrl(`${folder}${headerFooterName('footer_url', 12)}`), 'footer_url (page 12)');
  assert.equal(
    withDisplayUrls(`at f (${folder}${headerFooterName('footer_html', 2)}:1:2)`),
    'at f (footer_html (page 2):1:2)',
  );
});

test('secret query fields of URLs in a string are masked', () => {
  assert.equal(
    withDisplayUrls(`GET https://a.example/x?id=1&token=secret net::ERR_FAILED`),
    'GET https://a.example/x?id=1&token=*** net::ERR_FAILED',
  );
});

test('an inline document is shown without the address of the page into which it is written', () => {
  assert.equal(displayUrl(inlineDocumentPage), 'document');
  assert.equal(
    withDisplayUrls(`${inlineDocumentPage}:1 and (${inlineDocumentPage}) and platen://job/open.css`),
    'document:1 and (document) and open.css',
  );
});
