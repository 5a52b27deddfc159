import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { staticDocumentText, mayRunScripts } from '../../../main/input/static-document.ts';

const utf8 = 'text/html; charset=utf-8';

function isStatic(html: string, contentType = utf8): boolean {
  const bytes = Buffer.from(html);
  return staticDocumentText({ bytes, contentType }, mayRunScripts(bytes)) !== undefined;
}

const dynamicDocuments = [
  '<link rel=stylesheet href=#x>',
  '<base href="#">',
  '<img src=x.png>',
  '<img src = "https://example.com/x.png">',
  '<img srcset="x.png 2x">',
  '<image href="#x">',
  '<svg:image href="#x">',
  '<use href="#x">',
  '<table background=x.png>',
  '<a href=page.html>',
  '<a href="//example.com/">',
  '<a HREF=\n"/x">',
  '<a href="platen://job/x">',
  '<p style="background: url(x.png)">',
  '<p style="background: URL( \'x.png\' )">',
  '<p style="background: u\\72l(x.png)">',
  '<p style="background: u\\72 l(x.png)">',
  '<p style="background: u&#114;l(x.png)">',
  '<p style="background: u&#x72;l(x.png)">',
  '<p style="background: u&#000114l(x.png)">',
  '<p style="background: url&lpar;x.png)">',
  '<p style="background: image-set(\'x.png\' 1x)">',
  '<style>@import "x.css"</style>',
  '<style>@\\69mport "x.css"</style>',
  '<style title=a>p { color: red }</style>',
  '<video poster=x.png>',
  '<form action=x>',
  '<input autofocus>',
  '<template shadowrootmode=open>',
  '<meta name=referrer content=no-referrer>',
  '<meta name=color-scheme content=dark>',
  '<meta charset=latin1>',
  '<meta http-equiv=refresh content=0>',
  '<script>x</script>',
  '<p onclick=x>',
];

test('a document is not static if it contains scripts, links to resources or other dynamic constructs, in any spelling', () => {
  for (const html of dynamicDocuments) assert.ok(!isStatic(html), html);
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(
      fc.constantFrom(...dynamicDocuments),
      text,
      text,
      (html, before, after) => !isStatic(`${before}${html}${after}`),
    ),
  );
});

test('embedded images keep a document static, but hide no scripts', () => {
  const data = 'iVBORw0KGgo/+'.repeat(2000);
  const image = `<img src="data:image/png;base64,${data}==">`;
  assert.ok(isStatic(`<p>one${image}two${image}`));
  for (const html of dynamicDocuments)
    for (const page of [`${image}${html}`, `${html}${image}`, `base64,${data}${html}${data}`])
      assert.ok(!isStatic(page), html);
  for (const rule of ['@import "x.css";', 'image("x.png")', 'url&lpar;x.png)', 'u\\72l(x.png)'])
    assert.ok(!isStatic(`<style>p { src: url("data:;base64,${data}") } ${rule} ${data}(</style>`), rule);
});

test('an ordinary letter, invoice or SVG is static', () => {
  const plain = [
    '<!doctype html><html lang=en><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>x</title></head><p>x',
    '<a href="https://example.com/">x</a><a href=#top>y</a><a href="mailto:a@example.com">z</a>',
    '<style>li::marker { content: "\\2022" } p { background: url(data:image/gif;base64,R0==) } path { fill: url(#g) }</style>',
    '<img src="data:image/png;base64,AAAA" alt="logo">',
    '<style type="text/css" media="print">p { color: red }</style>',
    '<p>&amp; &#8364; &#39; &#x27; &lt;b&gt; &nbsp; &#160; &copy;',
    '<svg viewBox="0 0 1 1"><rect width="1" height="1" fill="red"/></svg>',
  ];
  for (const html of plain) assert.ok(isStatic(html), html);
});

test('a document is not static if it is not valid UTF-8 HTML or has sibling files', () => {
  assert.ok(!isStatic('<p>x', 'text/html; charset=iso-8859-1'));
  assert.ok(!isStatic('<p>x', 'text/html'));
  assert.ok(!isStatic('<p>x', 'image/svg+xml'));
  assert.ok(isStatic('<meta charset=utf-8><p>x', 'text/html'));
  const bytes = Buffer.from([0x3c, 0x70, 0x3e, 0xff]);
  assert.equal(staticDocumentText({ bytes, contentType: utf8 }, false), undefined);
  const files = () => Promise.resolve(undefined);
  assert.equal(staticDocumentText({ bytes: Buffer.from('<p>'), contentType: utf8, files }, false), undefined);
});

test('a static document has at most a megabyte of text and four with its images', () => {
  const image = (length: number) => `<img src="data:image/png;base64,${'A'.repeat(length)}">`;
  assert.ok(isStatic(image(3_900_000)));
  assert.ok(!isStatic(image(4_000_000)));
  assert.ok(isStatic(`<p>${'x '.repeat(490_000)}`));
  assert.ok(!isStatic(`<p>${'x '.repeat(510_000)}`));
});

test('a megabyte made to be slow to search is searched within two seconds on average', () => {
  const pieces = [
    'base64,',
    'base64,<',
    '<style ',
    '<meta ',
    'src =',
    'href = ',
    '\\',
    '@',
    '&#',
    '<',
    'url( ',
    '<meta name="author" content="',
    ' on',
    'src    ',
  ];
  const began = performance.now();
  for (const piece of pieces) isStatic(piece.repeat(1_000_000 / piece.length));
  const each = (performance.now() - began) / pieces.length;
  // A check whose time is not linear would take minutes.
  assert.ok(each < 2000, `${each} ms`);
});
