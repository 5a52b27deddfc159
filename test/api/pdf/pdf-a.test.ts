/** Documents for archiving. Whether they conform is checked by veraPDF in test/long/pdf-a.test.ts. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, describe, test } from 'node:test';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { pdfFonts, pdfText } from '../../support/output/pdf.ts';
import { convert, refusal, send, type Fields } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const page = `<title>Rechnung</title><h1>Rechnung</h1><p style="opacity: .5">Büro, Effizienz, مرحبا</p>
  <a href="https://example.com/">link</a>`;

/** Renders the pages with poppler. */
function rendered(pdf: Buffer): Buffer {
  return spawnSync('pdftoppm', ['-r', '50', '-'], { input: pdf, maxBuffer: 1e9 }).stdout;
}

describe('pdf_standard', () => {
  for (const standard of ['pdfa-2b', 'pdfa-2u', 'pdfa-3b', 'pdfa-3u'])
    test(`${standard} claims the standard, and keeps text and pixels`, async () => {
      const plain = await convert(service, { text: page });
      const archived = await convert(service, { text: page, pdf_standard: standard });
      const metadata = archived.toString('latin1');
      assert.ok(metadata.includes(`<pdfaid:part>${standard.charAt(5)}</pdfaid:part>`));
      assert.ok(
        metadata.includes(`<pdfaid:conformance>${standard.charAt(6).toUpperCase()}</pdfaid:conformance>`),
      );
      assert.match(metadata, /<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Rechnung</);
      assert.equal(pdfText(archived), pdfText(plain));
      assert.ok(rendered(plain).length > 1000);
      assert.ok(rendered(archived).equals(rendered(plain)));
    });

  test('keeps the text of alternate glyphs: small capitals, figures, fractions, ligatures', async () => {
    const text = 'Office 1/2 0123, Αθήνα, Москва';
    for (const feature of ['smcp', 'c2sc', 'onum', 'tnum', 'frac', 'ordn', 'sups', 'dlig', 'zero']) {
      const html = `<html lang="en"><title>T</title><p style="font: 20px Noto Sans; font-feature-settings: '${feature}'">${text}`;
      for (const pdf_standard of ['pdfa-2u', 'pdfua-1'])
        assert.equal(pdfText(await convert(service, { text: html, pdf_standard })), text, feature);
    }
  });

  test('refuses encryption, and names the options', async () => {
    const protection: Fields = { user_password: 'secret', no_print: true };
    assert.match(
      await refusal(service, { text: page, pdf_standard: 'pdfa-2b', ...protection }),
      /^400\.311 - .*forbids encryption; remove user_password and no_print/,
    );
  });

  test('refuses unknown standards, and two of PDF/A', async () => {
    for (const pdf_standard of ['pdfa-1b', 'pdfa-2b,pdfa-3b'])
      assert.match(await refusal(service, { text: page, pdf_standard }), /^400\.311 - .*pdfa-2b, pdfa-2u/);
  });

  test('refuses a document that cannot conform with 400.328, or returns it without the claim', async () => {
    const text = `${page}<p style="break-before: page">\u{1fbff}</p>`;
    const fields = { text, pdf_standard: 'pdfa-2u' };
    assert.match(await refusal(service, fields), /^400\.328 - .*PDF\/A-2u: page 2: .*no installed font has/);
    const answer = await send(service, { ...fields, pdf_standard_strict: false, debug_log: true });
    assert.equal(answer.status, 200);
    assert.doesNotMatch(answer.body.toString('latin1'), /pdfaid/);
    assert.equal(answer.headers.get('x-service-notes'), '1');
    const { text: log } = await readDebugLog(answer);
    assert.match(log, /does not conform to PDF\/A-2u: page 2/);
  });

  test('embeds the font of form fields, and refuses fields with characters that it lacks', async () => {
    const fields = { pdf_standard: 'pdfa-2u', enable_pdf_forms: true };
    const form = (value: string) => `<title>Form</title><input name="a" value="${value}">`;
    const pdf = await convert(service, { ...fields, text: form('Größe – 5 €') });
    assert.match(pdfFonts(pdf), /^LiberationSans +TrueType +WinAnsi +yes /m);
    assert.match(pdfText(pdf), /Größe – 5 €/);
    const message = await refusal(service, { ...fields, text: form('Привет') });
    assert.match(message, /^400\.328 - .*a form field has characters that are not in Windows-1252/);
    assert.match(
      pdfFonts(await convert(service, { text: form('x'), enable_pdf_forms: true })),
      /^Helvetica /m,
    );
  });

  test('has no effect on images, which is noted', async () => {
    const answer = await send(service, { text: page, pdf_standard: 'pdfa-2b', output_format: 'png' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('x-service-notes'), '1');
  });
});
