/** Signed documents, verified with pdfsig (poppler), openssl and qpdf. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { invoices } from '../../support/output/invoice-xml.ts';
import { SigningFolder } from '../../support/servers/signing.ts';
import { convert, demo, refusal, send, type Fields } from '../../support/service/convert.ts';
import { startService, type Service } from '../../support/service/service.ts';

const text = '<html lang="en"><title>Contract</title><h1>Contract</h1><p style="break-before: page">Page 2';
const folder = new SigningFolder();
let service: Service;
before(async () => {
  const files = {
    demo: folder.certificate('Signer Ä'),
    curves: folder.certificate('Curves', { key: ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'] }),
    old: folder.certificate('Old', { exportOptions: ['-legacy'] }),
    expired: folder.certificate('Expired', { days: 0 }),
  };
  const accounts = ['curves', 'old', 'expired', 'unsigned'].map((name) => `${name}:key`);
  service = await startService({
    flags: [
      '--signing-certificate',
      Object.entries(files)
        .map(([account, file]) => `${account}=${file}`)
        .join(','),
      '--accounts',
      accounts.join(','),
    ],
    environment: { PLATEN_SIGNING_PASSWORD: 'secret' },
  });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function signaturesOf(pdf: Buffer): string {
  const path = mkdtempSync(join(tmpdir(), 'platen-signed-'));
  writeFileSync(join(path, 'in.pdf'), pdf);
  const { stdout } = spawnSync('pdfsig', ['-nocert', 'in.pdf'], { cwd: path, encoding: 'utf8' });
  const { status } = spawnSync('qpdf', ['--check', 'in.pdf'], { cwd: path });
  rmSync(path, { recursive: true });
  assert.equal(status, 0, 'qpdf finds an error');
  return stdout;
}

const authorizationOf = (account: string) => `Basic ${Buffer.from(`${account}:key`).toString('base64')}`;

describe('sign', () => {
  test('signs the whole document with the certificate of the account (PAdES baseline B)', async () => {
    const pdf = await convert(service, {
      text,
      sign: true,
      signature_reason: 'Grüße 日本',
      signature_location: 'Köln',
    });
    const report = signaturesOf(pdf);
    for (const expected of [
      'Common Name: Signer Ä',
      'ETSI.CAdES.detached',
      'SHA-256',
      'Total document signed',
      'Signature is Valid',
    ])
      assert.ok(report.includes(expected), `${expected}: ${report}`);
    const details = folder.verify(pdf);
    assert.match(details, /signingCertificateV2/);
    assert.doesNotMatch(details, /object: signingTime/, 'PAdES forbids this attribute');
    assert.match(pdf.toString('latin1'), /\/DocMDP/);
  });

  test('works with elliptic curves, and with files in the older format of Windows', async () => {
    for (const account of ['curves', 'old']) {
      const answer = await send(service, { text, sign: true }, { authorization: authorizationOf(account) });
      assert.equal(answer.status, 200, answer.body.toString());
      assert.match(signaturesOf(answer.body), /Signature is Valid/);
      folder.verify(answer.body);
    }
  });

  test('shows any change: one byte makes the signature invalid', async () => {
    const pdf = await convert(service, { text, sign: true });
    const changed = Buffer.from(pdf);
    const at = changed.indexOf('/Producer');
    changed[at + 12] = (changed[at + 12] ?? 0) ^ 1;
    assert.match(signaturesOf(changed), /Digest Mismatch|Signature is Invalid/);
    assert.throws(() => folder.verify(changed));
  });

  test('works together with forms, linearisation, PDF/A, e-invoices, headers and selected pages', async () => {
    for (const fields of [
      { text: '<input name="Signature" value="x">', enable_pdf_forms: true },
      { text, linearize: true },
      { text, pdf_standard: 'pdfa-2u,pdfua-1' },
      { text, invoice_xml: new File([invoices.BASIC ?? ''], 'i.xml') },
      { text, header_html: 'Head', print_page_range: '2', title: 'T' },
    ] as readonly Fields[]) {
      const pdf = await convert(service, { ...fields, sign: true });
      assert.match(signaturesOf(pdf), /Signature is Valid/, JSON.stringify(fields));
    }
  });

  test('is visible at the given place, with signer, date, reason and location in any script', async () => {
    const fields = {
      text,
      sign: true,
      signature_reason: 'Freigabe 承認 <b>',
    };
    const pdf = await convert(service, {
      ...fields,
      signature_page: 1,
      signature_x: '2in',
      signature_y: '5in',
      signature_width: '3in',
    });
    assert.match(signaturesOf(pdf), /Signature is Valid/);
    const box = ['-x', '144', '-y', '360', '-W', '216', '-H', '58'];
    const shown = (pages: string, area: readonly string[]) =>
      spawnSync('pdftotext', ['-f', pages, '-l', pages, ...area, '-', '-'], { input: pdf, encoding: 'utf8' })
        .stdout;
    const inBox = shown('1', box);
    assert.match(inBox, /\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    for (const part of ['Signer Ä', 'Freigabe', '承認', '<b>'])
      assert.ok(inBox.includes(part), `${part}: ${inBox}`);
    const atEnd = await convert(service, { ...fields, signature_width: '2in' });
    const last = spawnSync(
      'pdftotext',
      ['-f', '2', '-x', '0', '-y', '700', '-W', '600', '-H', '150', '-', '-'],
      { input: atEnd, encoding: 'utf8' },
    );
    assert.match(last.stdout, /Signer Ä/, 'by default at the lower edge of the last page');
  });

  test('carries the time of signing, whatever creation_date says, also in its picture', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const pdf = await convert(service, {
      text,
      sign: true,
      creation_date: '2001-02-03T04:05:06+01:00',
      signature_page: 1,
    });
    const [, signed = ''] = /\/M \(D:(\d{14})\+00'00'\)/.exec(pdf.toString('latin1')) ?? [];
    const signedAt = Date.parse(signed.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z'));
    assert.ok(signedAt >= before && signedAt <= Date.now(), signed);
    const shown = spawnSync('pdftotext', ['-f', '1', '-l', '1', '-', '-'], { input: pdf, encoding: 'utf8' });
    assert.ok(shown.stdout.includes(new Date(signedAt).toISOString().slice(0, 16).replace('T', ' ')));
    const report = signaturesOf(pdf);
    assert.match(report, /Signature is Valid/);
    const [, time = ''] = /Signing Time: (.*)/.exec(report) ?? [];
    assert.equal(Date.parse(time), signedAt, report);
    folder.verify(pdf);
    const info = spawnSync('pdfinfo', ['-isodates', '-'], { input: pdf, encoding: 'utf8' });
    assert.match(info.stdout, /CreationDate: +2001-02-03T04:05:06\+01/);
  });

  test('is refused with what to change', async () => {
    for (const [fields, expected] of [
      [{ encrypt: true }, /sign and encryption exclude each other; remove encrypt, or sign/],
      [{ signature_page: 7 }, /signature_page is 7, but the document has 2 pages/],
      [{ signature_page: 0 }, /signature_page must not be 0/],
      [{ signature_x: '8in' }, /does not fit on the page, which is 8\.2\din wide/],
      [{ signature_height: '1px' }, /must be at least 0\.2in/],
    ] as readonly [Fields, RegExp][])
      assert.match(await refusal(service, { text, sign: true, ...fields }), expected);
    const refusedFor = async (account: string) =>
      (
        await send(service, { text, sign: true }, { authorization: authorizationOf(account) })
      ).body.toString();
    assert.match(
      await refusedFor('unsigned'),
      /^400\.311 - sign=true needs a signing certificate, but the account unsigned has none/,
    );
    assert.match(
      await refusedFor('expired'),
      /^400\.311 - .*certificate of the account expired expired on \d{4}-\d\d-\d\d\. Ask the operator to replace/,
    );
  });

  test('notes options of a signature without sign', async () => {
    const answer = await send(service, { text, signature_reason: 'x' });
    assert.equal(answer.headers.get('x-service-notes'), '1');
  });

  test('uses a renewed certificate without a restart', async () => {
    folder.certificate('Renewed');
    copyFileSync(join(folder.path, 'Renewed.p12'), join(folder.path, 'Curves.p12'));
    const answer = await send(service, { text, sign: true }, { authorization: authorizationOf('curves') });
    assert.match(signaturesOf(answer.body), /Common Name: Renewed/);
  });

  test('keeps key and password out of answers, records and logs', async () => {
    const answer = await send(service, { text, sign: true, debug_log: true });
    const key = readFileSync(join(folder.path, 'Signer Ä.key'), 'latin1').split('\n')[2] ?? '';
    const log = await readDebugLog(answer);
    const job = await fetch(`${service.url}/jobs/${answer.headers.get('x-service-job-id') ?? ''}`, {
      headers: { authorization: demo },
    });
    const seen = [JSON.stringify(log), await job.text(), service.log()].join();
    for (const secret of [key, 'secret']) assert.ok(secret !== '' && !seen.includes(secret), secret);
    const files = readdirSync(service.data, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const entry of files) {
      const content = readFileSync(join(entry.parentPath, entry.name), 'latin1');
      assert.ok(!content.includes(key) && !content.includes('PRIVATE KEY'), entry.name);
    }
  });
});

test('a time stamp server gives signatures a time stamp (B-T); without an answer, the request can be repeated', async () => {
  const tsa = await folder.serveTimeStamps();
  const environment = { PLATEN_SIGNING_PASSWORD: 'secret' };
  const flags = [
    '--signing-certificate',
    `demo=${join(folder.path, 'Signer Ä.p12')}`,
    '--timestamp-url',
    tsa.url,
  ];
  await using stamped = await startService({ flags, environment });
  const pdf = await convert(stamped, { text, sign: true });
  assert.match(signaturesOf(pdf), /Signature is Valid/);
  assert.match(folder.verify(pdf), /timeStampToken/);
  await tsa[Symbol.asyncDispose]();
  const answer = await send(stamped, { text, sign: true });
  assert.match(
    answer.body.toString(),
    /^503\.503 - The time stamp server \(setting timestamp-url\) did not answer/,
  );
  assert.equal(answer.headers.get('retry-after'), '10');
});

test('a certificate that cannot be used prevents the start, with a one-line message', async () => {
  const file = join(folder.path, 'Signer Ä.p12');
  for (const [certificate, password, expected] of [
    [file, 'wrong', /cannot be opened with this password; set signing-password/],
    [join(folder.path, 'ca.pem'), 'secret', /is not a PKCS #12 file/],
    [join(folder.path, 'missing.p12'), 'secret', /missing\.p12 cannot be read/],
  ] as const)
    await assert.rejects(
      startService({
        flags: ['--signing-certificate', `demo=${certificate}`],
        environment: { PLATEN_SIGNING_PASSWORD: password },
      }),
      (problem: Error) => expected.test(problem.message),
    );
});
