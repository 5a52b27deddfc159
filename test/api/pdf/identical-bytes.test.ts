/** With creation_date, the same request gives the same bytes, in another process and at another time. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { invoices } from '../../support/output/invoice-xml.ts';
import { convert, refusal, type Fields } from '../../support/service/convert.ts';
import { startService, type Service } from '../../support/service/service.ts';

const creation_date = '2026-11-26T09:30:00+01:00';
const table = `<table><caption>C</caption><thead><tr><th>A<th>B</thead>${'<tr><td>1<td>2'.repeat(60)}</table>`;
const page = `<html lang="en"><title>Page</title><h1 id="top">Page</h1><p style="opacity: .5">Text <a href="https://example.com/">link</a> <a href="#top">top</a></p>${table}
  <svg role="img" aria-label="Square" width="9" height="9"><rect width="9" height="9" /></svg><p>😀 日本 مرحبا`;
const canvas = '<canvas id="c"></canvas><script>c.getContext("2d").fillRect(5, 5, 50, 50)</script>';

const documents: Readonly<Record<string, Fields>> = {
  plain: { text: page },
  'without a title': { text: '<p>text' },
  tagged: { text: page, tagged: true },
  outline: { text: page, outline: true },
  'headers and footers': {
    text: page,
    header_html: 'Head 😀',
    footer_html: '<a href="https://example.com/">foot</a>',
  },
  archive: { text: page, pdf_standard: 'pdfa-2u' },
  accessible: { text: page, pdf_standard: 'pdfa-3b,pdfua-1' },
  'form fields': {
    text: `<form>${'<input name="a" value="1"><input type="checkbox">'.repeat(3)}</form>`,
    enable_pdf_forms: true,
  },
  'smaller images': { text: canvas, convert_images_to_jpeg: 'all', jpeg_quality: 60 },
  linearized: { text: page, linearize: true, title: 'T' },
  attachments: {
    text: page,
    attachment: [new File(['a'], 'a.txt'), new File(['b'], 'b.bin')],
    invoice_xml: new File([invoices.BASIC ?? ''], 'i.xml'),
  },
  range: { text: page, print_page_range: '2-', tagged: true },
};

describe('creation_date', () => {
  let services: readonly Service[] = [];
  before(async () => {
    services = [await startService(), await startService()];
  });
  after(async () => {
    for (const service of services) await service[Symbol.asyncDispose]();
  });
  const serviceAt = (index: number) => {
    const service = services[index];
    assert.ok(service !== undefined);
    return service;
  };
  const convertWith = (index: number, fields: Fields) =>
    convert(serviceAt(index), { ...fields, creation_date });

  test('gives the same bytes in another process, later, and after other documents', async () => {
    const first = new Map<string, Buffer>();
    for (const [name, fields] of Object.entries(documents)) first.set(name, await convertWith(0, fields));
    await pause(1100);
    for (const [name, fields] of Object.entries(documents).reverse())
      for (const index of [1, 0])
        assert.ok(first.get(name)?.equals(await convertWith(index, fields)), `${name}, process ${index + 1}`);
  });

  test('is the date of creation and of the last change', async () => {
    const { stdout } = spawnSync('pdfinfo', ['-isodates', '-'], {
      input: await convertWith(0, { text: 'x' }),
      encoding: 'utf8',
    });
    assert.match(stdout, /CreationDate: +2026-11-26T(08:30:00Z|09:30:00\+01(:00)?)/);
    assert.match(stdout, /ModDate: +2026-11-26T(08:30:00Z|09:30:00\+01(:00)?)/);
  });

  test('without it, documents differ by their date', async () => {
    const service = serviceAt(0);
    const one = await convert(service, { text: 'x' });
    await pause(1100);
    assert.ok(!one.equals(await convert(service, { text: 'x' })));
  });

  test('must be a date', async () => {
    for (const date of ['today', '2026-02-30', '2026-11-26T25:00', '26.11.2026'])
      assert.match(
        await refusal(serviceAt(0), { text: 'x', creation_date: date }),
        /^400\.311 - .*creation_date.* ISO 8601/,
      );
  });
});
