/** Documents of many kinds conform to PDF/A and PDF/UA, judged by veraPDF. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  header,
  marks,
  standardDocuments as documents,
  table,
} from '../support/output/standard-documents.ts';
import { failuresOf, skipReason } from '../support/output/verapdf.ts';
import { invoiceAs, invoices } from '../support/output/invoice-xml.ts';
import { SigningFolder } from '../support/servers/signing.ts';
import { convert, type Fields } from '../support/service/convert.ts';
import { project, startService, type Service } from '../support/service/service.ts';

const xRechnung = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';

/** The names of the standards in veraPDF. */
const flavours: Readonly<Record<string, string>> = {
  'pdfa-2b': '2b',
  'pdfa-2u': '2u',
  'pdfa-3b': '3b',
  'pdfa-3u': '3u',
  'pdfua-1': 'ua1',
};

describe('veraPDF accepts', { skip: skipReason }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-standards-'));
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test('e-invoices of all profiles, with further attachments', async () => {
    const files: string[] = [];
    for (const [name, xml] of Object.entries({ ...invoices, XRECHNUNG: invoiceAs(xRechnung) })) {
      const file = join(folder, `invoice ${name}.pdf`);
      const attached = {
        invoice_xml: new File([xml], 'invoice.xml'),
        attachment: [new File(['a'], 'ä.txt'), new File(['b'], 'b')],
        attachment_description: 'Ä',
      };
      writeFileSync(
        file,
        await convert(service, { ...attached, ...header, text: table, pdf_standard: 'pdfa-3u' }),
      );
      files.push(file);
    }
    assert.deepEqual(failuresOf('3u', files), []);
  });

  test('signed documents, with a visible and an invisible signature', async () => {
    using signing = new SigningFolder();
    const flags = ['--signing-certificate', `demo=${signing.certificate('Signer')}`];
    await using signer = await startService({ flags, environment: { PLATEN_SIGNING_PASSWORD: 'secret' } });
    const files: string[] = [];
    for (const [name, fields] of Object.entries({ invisible: {}, visible: { signature_page: 1 } })) {
      const file = join(folder, `signed ${name}.pdf`);
      const text = `<html lang=en><title>${name}</title>${table}`;
      const pdf = await convert(signer, {
        text,
        ...header,
        ...fields,
        sign: true,
        pdf_standard: 'pdfa-3u,pdfua-1',
      });
      writeFileSync(file, pdf);
      files.push(file);
    }
    for (const flavour of ['3u', 'ua1']) assert.deepEqual(failuresOf(flavour, files), []);
  });

  for (const standard of ['pdfa-2b', 'pdfa-2u', 'pdfa-3b', 'pdfa-3u', 'pdfua-1', 'pdfa-3u,pdfua-1'])
    test(`all documents as ${standard}`, async () => {
      const files: string[] = [];
      for (const [name, fields] of Object.entries(documents)) {
        const file = join(folder, `${standard} ${name}.pdf`);
        const text = `<html lang=en><title>${name}</title>${fields.text}`;
        writeFileSync(file, await convert(service, { ...fields, text, pdf_standard: standard }));
        files.push(file);
      }
      for (const flavour of standard.split(','))
        assert.deepEqual(failuresOf(flavours[flavour] ?? '', files), []);
    });

  test('documents with watermarks and backgrounds', async () => {
    const pdf = async (fields: Fields) =>
      new File([new Uint8Array(await convert(service, fields))], 'stamp.pdf');
    const png = new File(
      [new Uint8Array(readFileSync(join(project, 'build', 'icons', 'platen-128.png')))],
      'stamp.png',
    );
    const files: string[] = [];
    for (const [name, stamps] of Object.entries({
      text: { page_watermark: await pdf({ text: '<p style="color:#f008">Draft 草案' }) },
      letterhead: { page_background: await pdf({ text: documents['text effects']?.text ?? '' }), ...marks },
      image: { page_watermark: png, multipage_background: png },
    })) {
      const file = join(folder, `${name}.pdf`);
      writeFileSync(
        file,
        await convert(service, {
          text: `<html lang=en><title>${name}</title>${table}`,
          pdf_standard: 'pdfa-2u,pdfua-1',
          ...stamps,
        }),
      );
      files.push(file);
    }
    assert.deepEqual([...failuresOf('2u', files), ...failuresOf('ua1', files)], []);
  });

  test('no document without the option, so this check can fail', async () => {
    const file = join(folder, 'plain.pdf');
    writeFileSync(file, await convert(service, { text: 'plain' }));
    assert.notDeepEqual(failuresOf('2b', [file]), []);
  });
});
