/** Attached files and e-invoices, read with PDF.js and the tools of poppler and qpdf. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { extractXml } from '@stackforge-eu/factur-x';
import { attachmentsOf } from '../../support/output/attachments.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { invoices, invoiceAs } from '../../support/output/invoice-xml.ts';
import { convert, demo, refusal, send, type Fields } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const file = (name: string, content: string, type = '') => new File([content], name, { type });
const invoice = file('invoice.xml', invoices['EN 16931'] ?? '', 'text/xml');

/** Runs a program with the document as a file, whose path replaces `FILE` in the arguments. */
function run(program: string, parameters: readonly string[], pdf: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), 'platen-attachments-'));
  const path = join(folder, 'in.pdf');
  writeFileSync(path, pdf);
  const words = parameters.map((word) => (word === 'FILE' ? path : word));
  const { status, stdout } = spawnSync(program, words, { maxBuffer: 1e9 });
  rmSync(folder, { recursive: true });
  return { status, output: stdout.toString('latin1') };
}

/** Returns the document as qpdf writes it, with all streams decompressed. */
function unpacked(pdf: Buffer): string {
  return run('qpdf', ['--qdf', '--object-streams=disable', 'FILE', '-'], pdf).output;
}

describe('attachment', () => {
  test('attaches files with their names, descriptions, relationships and media types', async () => {
    const pdf = await convert(service, {
      text: '<p>page',
      attachment: [
        file('data – 日本.csv', 'a;b\n1;2', 'text/csv'),
        file('terms.txt', 'Grüße'),
        file('unknown', 'x'),
      ],
      attachment_description: ['The data', '', 'Anhang Ä'],
      attachment_relationship: ['Data', 'supplement'],
    });
    assert.deepEqual(await attachmentsOf(pdf), [
      { filename: 'data – 日本.csv', description: 'The data', content: 'a;b\n1;2' },
      { filename: 'terms.txt', description: '', content: 'Grüße' },
      { filename: 'unknown', description: 'Anhang Ä', content: 'x' },
    ]);
    const plain = unpacked(pdf);
    for (const type of ['text#2fcsv', 'text#2fplain', 'application#2foctet-stream'])
      assert.ok(plain.includes(`/Subtype /${type}`), type);
    const relationships = [...plain.matchAll(/\/AFRelationship \/(\w+)/g)].map(([, word]) => word);
    assert.deepEqual(relationships.toSorted(), ['Data', 'Supplement', 'Unspecified']);
    assert.match(plain, /\/AF \[\s+(\d+ 0 R\s+){3}\]/);
    assert.equal(pdfText(pdf), 'page');
  });

  test('keeps files with the same name apart', async () => {
    const attachment = ['a.txt', 'a.txt (2)', 'a.txt'].map((name, index) => file(name, String(index)));
    const pdf = await convert(service, { text: 'x', attachment });
    assert.match(run('pdfdetach', ['-list', 'FILE'], pdf).output, /3 embedded files/);
    assert.deepEqual((await attachmentsOf(pdf)).map(({ content }) => content).toSorted(), ['0', '1', '2']);
  });

  test('may be sent with an index, as PHP does', async () => {
    const fields = {
      'attachment[0]': file('a.txt', '1'),
      'attachment[1]': file('b.txt', '2'),
      'attachment_description[1]': 'B',
      'attachment_description[0]': 'A',
    };
    const pdf = await convert(service, { text: 'x', ...fields });
    assert.deepEqual(
      (await attachmentsOf(pdf)).map(({ filename, content }) => filename + content),
      ['a.txt1', 'b.txt2'],
    );
  });

  test('gets the description with the same index, even if earlier attachments have none', async () => {
    const pdf = await convert(service, {
      text: 'x',
      'attachment[0]': file('a.txt', '1'),
      'attachment[1]': file('b.txt', '2'),
      'attachment_description[1]': 'B',
    });
    assert.deepEqual(
      (await attachmentsOf(pdf)).map(({ filename, description }) => filename + description),
      ['a.txt', 'b.txtB'],
    );
  });

  test('has the media type of its file name extension if the part has no content type', async () => {
    const part = (head: string, content: string) =>
      `--b\r\nContent-Disposition: form-data; name=${head}\r\n\r\n${content}\r\n`;
    const response = await fetch(`${service.url}/convert/24.04/`, {
      method: 'POST',
      headers: { authorization: demo, 'content-type': 'multipart/form-data; boundary=b' },
      body: `${part('text', 'x')}${part('attachment; filename="a.xml"', '<a/>')}${part('attachment; filename="b"', 'b')}--b--\r\n`,
    });
    const plain = unpacked(Buffer.from(await response.arrayBuffer()));
    const types = [...plain.matchAll(/\/Subtype \/(\w+#2f\w+)/g)].map(([, type]) => type);
    assert.deepEqual(types.toSorted(), ['application#2fxml', 'text#2fplain']);
  });

  test('works together with headers, encryption, selected pages, linearisation and PDF/A-3', async () => {
    const text = '<p>1<p style="break-before:page">2';
    const fields: Fields = {
      text,
      attachment: file('a.txt', '1'),
      print_page_range: '2',
    };
    for (const others of [
      { header_html: 'Head', linearize: true },
      { encrypt: true, owner_password: 'o' },
      { pdf_standard: 'pdfa-3u,pdfua-1', text: `<html lang="en"><title>T</title>${text}` },
    ] as readonly Fields[]) {
      const pdf = await convert(service, { ...fields, ...others });
      assert.equal(run('qpdf', ['--check', 'FILE'], pdf).status, 0);
      assert.deepEqual(
        (await attachmentsOf(pdf)).map(({ content }) => content),
        ['1'],
        JSON.stringify(others),
      );
    }
  });

  test('is refused with PDF/A-2, with too many descriptions, with an unknown relationship and as text', async () => {
    const attachment = file('a.txt', '1');
    for (const [fields, expected] of [
      [
        { attachment, pdf_standard: 'pdfa-2u' },
        /^400\.311 - .*pdfa-2u allows no attached files; send pdf_standard=pdfa-3u, or remove attachment/,
      ],
      [
        { attachment, attachment_description: ['a', 'b'] },
        /attachment_description was given 2 times, but attachment once/,
      ],
      [{ attachment_relationship: 'Data' }, /attachment_relationship was given once, but attachment never/],
      [
        { attachment, attachment_relationship: 'Parent' },
        /allowed: Source, Data, Alternative, Supplement, Unspecified/,
      ],
      [{ attachment: 'a.txt' }, /^400\.302 - .*attachment must be a file part/],
    ] as readonly [Fields, RegExp][])
      assert.match(await refusal(service, { text: 'x', ...fields }), expected);
  });

  test('has no effect on an image, and a note says so', async () => {
    const answer = await send(service, { text: 'x', output_format: 'png', attachment: file('a.txt', '1') });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('x-service-notes'), '1');
  });

  test('is listed in the job record, each file with its size', async () => {
    const answer = await send(service, { text: 'x', attachment: [file('a.txt', '1'), file('b.txt', '22')] });
    const id = answer.headers.get('x-service-job-id') ?? '';
    const job = await fetch(`${service.url}/jobs/${id}`, { headers: { authorization: demo } });
    const { parameters } = (await job.json()) as { parameters: Record<string, string> };
    assert.equal(parameters.attachment, 'a.txt (1 byte), b.txt (2 bytes)');
  });
});

describe('invoice_xml', () => {
  test('makes an e-invoice in PDF/A-3b, whose XML another program finds and reads unchanged', async () => {
    for (const [level, xml] of Object.entries(invoices)) {
      const pdf = await convert(service, { text: '<p>Invoice', invoice_xml: file('in.xml', xml) });
      const found = await extractXml(pdf);
      assert.deepEqual([found.xml, found.filename], [xml, 'factur-x.xml'], level);
      const raw = pdf.toString('latin1');
      assert.match(raw, /<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B</);
      assert.ok(raw.includes(`<fx:ConformanceLevel>${level}</fx:ConformanceLevel>`));
    }
  });

  test('keeps a PDF/A-3 that is given, adds one to PDF/UA-1, and may have further attachments', async () => {
    const claims = async (fields: Fields) => {
      const raw = (await convert(service, { invoice_xml: invoice, ...fields })).toString('latin1');
      return `${/<pdfaid:conformance>(.)/.exec(raw)?.[1] ?? ''}${raw.includes('<pdfuaid:part>1') ? ' UA' : ''}`;
    };
    assert.equal(await claims({ text: 'x', pdf_standard: 'pdfa-3u' }), 'U');
    assert.equal(
      await claims({ text: '<html lang="en"><title>T</title>x', pdf_standard: 'pdfua-1' }),
      'B UA',
    );
    const attachment = file('timesheet.csv', '1', 'text/csv');
    const found = await attachmentsOf(
      await convert(service, { text: 'x', invoice_xml: invoice, attachment }),
    );
    assert.deepEqual(
      found.map(({ filename }) => filename),
      ['factur-x.xml', 'timesheet.csv'],
    );
  });

  test('is refused with 400.313 if the XML is invalid, and with 400.311 if options contradict it', async () => {
    const minimum = file('in.xml', invoiceAs('urn:factur-x.eu:1p0:minimum'));
    assert.match(
      await refusal(service, { text: 'x', invoice_xml: minimum }),
      /^400\.313 - .*profile MINIMUM: line \d+/,
    );
    for (const [fields, expected] of [
      [
        { pdf_standard: 'pdfa-2b' },
        /pdfa-2b allows no attached files; send pdf_standard=pdfa-3b, or remove invoice_xml/,
      ],
      [
        { encrypt: true },
        /invoice_xml makes a PDF\/A-3, which forbids encryption; remove encrypt, or invoice_xml/,
      ],
      [{ attachment: file('factur-x.xml', '1') }, /named factur-x\.xml, which is the name of the e-invoice/],
    ] as readonly [Fields, RegExp][])
      assert.match(await refusal(service, { text: 'x', invoice_xml: invoice, ...fields }), expected);
  });
});
