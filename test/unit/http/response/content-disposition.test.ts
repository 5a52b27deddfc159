import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'content-disposition';
import fc from 'fast-check';
import { contentDisposition } from '../../../../main/http/response/respond.ts';
import { fileName } from '../../../../main/job/option-kinds.ts';

const defaultOptions = {
  content_disposition: 'attachment',
  output_format: 'pdf',
  output_name: undefined,
} as const;
const named = (output_name: string) => contentDisposition({ ...defaultOptions, output_name });

test('Content-Disposition names an unnamed output document.pdf or image.<format>', () => {
  assert.equal(contentDisposition(defaultOptions), 'attachment; filename="document.pdf"');
  assert.equal(
    contentDisposition({ ...defaultOptions, output_format: 'jpg', content_disposition: 'inline' }),
    'inline; filename="image.jpg"',
  );
});

test('Content-Disposition contains a plain ASCII name once', () => {
  assert.equal(named('invoice 42.pdf'), 'attachment; filename="invoice 42.pdf"');
});

test('Content-Disposition contains any other name twice, in ASCII and in UTF-8 (RFC 6266, 5)', () => {
  assert.equal(
    named('Übersicht €.pdf'),
    `attachment; filename="Ubersicht _.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%E2%82%AC.pdf`,
  );
});

test('Content-Disposition replaces characters in the ASCII name that clients without support for filename* misread', () => {
  for (const name of ['a"b.pdf', 'a%41.pdf', '℀.pdf', '100%.pdf'])
    assert.match(named(name), /; filename="[^"%\\/]*%?[^"%\\/]*"(; filename\*=UTF-8''|$)/, name);
  assert.match(named('a%41.pdf'), /filename="a_41\.pdf"/);
});

test('Content-Disposition preserves any name, and contains only printable ASCII', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const name = fileName.read(text);
      if (name === undefined) return true;
      const header = named(name);
      return /^[\x20-\x7e]+$/.test(header) && parse(header).parameters.filename === name;
    }),
  );
});
