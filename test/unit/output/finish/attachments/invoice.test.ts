import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Failure } from '../../../../../main/failure/failure.ts';
import { readInvoice } from '../../../../../main/output/finish/attachments/invoice.ts';
import { invoiceAs, invoices } from '../../../../support/output/invoice-xml.ts';
import { project, temporaryFolder } from '../../../../support/service/service.ts';

const schemas = join(project, '.build', 'invoice-schemas');
const read = (xml: string | Uint8Array) =>
  readInvoice(typeof xml === 'string' ? Buffer.from(xml) : xml, schemas);

async function refusalOf(xml: string): Promise<string> {
  const problem: unknown = await read(xml).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(problem instanceof Failure, 'the XML was accepted');
  assert.equal(problem.kind, 'dataInvalid');
  return problem.message;
}

const xRechnung = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';

describe('The XML of an e-invoice', () => {
  test('has one of the profiles of Factur-X, and a relationship that depends on it', async () => {
    for (const [level, xml] of Object.entries(invoices)) {
      const { fileName, conformanceLevel, version, relationship } = await read(xml);
      assert.deepEqual([fileName, conformanceLevel, version], ['factur-x.xml', level, '1.0']);
      assert.equal(relationship, ['MINIMUM', 'BASIC WL'].includes(level) ? 'Data' : 'Alternative', level);
    }
  });

  test('may be an XRechnung or ZUGFeRD 2.0, which have other names in the document', async () => {
    const { fileName, conformanceLevel, version } = await read(invoiceAs(xRechnung));
    assert.deepEqual([fileName, conformanceLevel, version], ['xrechnung.xml', 'XRECHNUNG', '3.0']);
    const zugferd = await read(invoiceAs('urn:cen.eu:en16931:2017#conformant#urn:zugferd.de:2p0:extended'));
    assert.deepEqual(
      [zugferd.fileName, zugferd.prefix, zugferd.version],
      ['zugferd-invoice.xml', 'zf', '2p0'],
    );
  });

  test('may have any encoding that it declares', async () => {
    const xml = invoiceAs('urn:cen.eu:en16931:2017').replace(/encoding="UTF-8"/i, 'encoding="ISO-8859-1"');
    await read(Buffer.from(xml, 'latin1'));
    await read(Buffer.from(`\ufeff${invoiceAs('urn:cen.eu:en16931:2017')}`));
  });

  test('is refused with the lines of its problems if it contains more than its profile allows', async () => {
    const message = await refusalOf(invoiceAs('urn:factur-x.eu:1p0:minimum'));
    assert.match(
      message,
      /^The XML in invoice_xml does not conform to the schema of its profile MINIMUM: line \d+: Element '/,
    );
    assert.doesNotMatch(message, /urn:un:unece/);
    assert.match(
      await refusalOf(
        invoiceAs('urn:cen.eu:en16931:2017').replace(
          /<ram:SellerTradeParty>[^]*?<\/ram:SellerTradeParty>/,
          '',
        ),
      ),
      /Expected is \( SellerTradeParty \)/,
    );
  });

  test('does not appear in the messages about it', async () => {
    const valid = invoiceAs('urn:cen.eu:en16931:2017');
    for (const changed of [
      valid.replace('>1785.00<', ">it's DE89 3704<"),
      valid.replace('format="102"', 'format="DE89 3704"'),
      valid.replace('currencyID="EUR"', 'currencyID="DE89 3704"'),
    ]) {
      if (changed === valid) assert.fail('the invoice has no such value');
      const message = await read(changed).then(
        () => '',
        (problem: unknown) => String(problem),
      );
      assert.doesNotMatch(message, /DE89/);
    }
    assert.match(await refusalOf(valid.replace('>1785.00<', '>x<')), /the content is not a valid value/);
  });

  test('is refused if it is not an invoice in CII, and the message names its format', async () => {
    for (const [xml, expected] of [
      [
        '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>',
        /root element Invoice, which is UBL; it must be CrossIndustryInvoice/,
      ],
      [
        '<a:CrossIndustryDocument xmlns:a="urn:ferd:CrossIndustryDocument:invoice:1p0"/>',
        /which is ZUGFeRD 1\.0/,
      ],
      ['<html/>', /root element html; it must be/],
      ['<CrossIndustryInvoice/>', /in the namespace urn:un:unece/],
      ['', /is not well-formed/],
      ['<a><b></a>', /is not well-formed: line 1: Opening and ending tag mismatch/],
      ['%PDF-1.7', /is not well-formed/],
    ] as const)
      assert.match(await refusalOf(xml), expected, xml);
  });

  test('is refused if it names no profile or an unknown one', async () => {
    const plain = invoiceAs('urn:cen.eu:en16931:2017');
    const context =
      /<ram:GuidelineSpecifiedDocumentContextParameter>[^]*?<\/ram:GuidelineSpecifiedDocumentContextParameter>/;
    assert.match(await refusalOf(plain.replace(context, '')), /names no profile; add GuidelineSpecified/);
    for (const id of ['urn:factur-x.eu:1p0:constructor', 'urn:other', 'x'.repeat(500)])
      assert.match(
        await refusalOf(invoiceAs(id)),
        /has the unknown profile '.{1,80}'; known are Factur-X 1\.0/,
      );
  });

  test('is refused if it has a document type declaration, so that no entity is expanded or loaded', async () => {
    const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, index) => `<!ENTITY ${'a'.repeat(index + 2)} "${`&${'a'.repeat(index + 1)};`.repeat(10)}">`).join('')}]>`;
    const file = '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]>';
    for (const type of [bomb, file])
      assert.match(
        await refusalOf(`${type}<a>&aaaaaaaaaa;&f;</a>`),
        /document type declaration|not well-formed/,
      );
  });

  test('is validated again and again by the same schema, also at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => read(invoices.BASIC ?? '')));
    assert.equal(new Set(all.map(({ conformanceLevel }) => conformanceLevel)).size, 1);
  });

  test('is validated as soon as a schema that could not be read can be read', async () => {
    const folder = temporaryFolder();
    try {
      const xml = Buffer.from(invoices.BASIC ?? '');
      await assert.rejects(readInvoice(xml, folder), { code: 'ENOENT' });
      cpSync(schemas, folder, { recursive: true });
      assert.equal((await readInvoice(xml, folder)).conformanceLevel, 'BASIC');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
