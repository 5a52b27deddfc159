/** Headers of pages and servers whose conversion by Electron would block the main thread. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeCertificates } from '../../support/servers/certificates.ts';
import { send } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

const names = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`h${index}`, '1']));

/** An answer with this number of headers, one of which the service removes. */
const answerWith = (count: number, value: string) => (_request: unknown, response: ServerResponse) =>
  void response
    .writeHead(200, { 'content-type': 'text/css', nel: '{}', x: value, ...names(count) })
    .end('p { color: red }');

describe('Headers:', () => {
  let service: Service;
  before(
    async () => (service = await startService({ flags: ['--network-allow', '127.0.0.1', '--workers', '1'] })),
  );
  after(() => service[Symbol.asyncDispose]());

  test('a response with more than 1,000 headers ends the job, and the next one is converted', async () => {
    await using web = await serveWeb({ '/many.css': answerWith(1100, '') }, makeCertificates().server);
    const text = `<link rel="stylesheet" href="${web.url}/many.css"><p>page`;
    const { status, body } = await send(service, { text, verify_ssl_certificates: false });
    assert.equal(status, 400);
    assert.match(
      body.toString(),
      /^400\.306 - A server sent the page a response with more than 1,000 headers/,
    );
    assert.equal((await send(service, { text: '<p>next' })).status, 200);
  });

  test('a request with more than 1,000 headers, or 200 kB of them, ends the job', async () => {
    // Only jobs that change or record headers look at them.
    for (const headers of [
      "Object.fromEntries(Array.from({ length: 1100 }, (_, n) => ['h' + n, '1']))",
      "{ h: 'x'.repeat(300_000) }",
    ]) {
      await using web = await serveWeb({
        '/': `<p>page<script>fetch('/', { headers: ${headers} })</script>`,
      });
      const { status, body } = await send(service, { url: web.url, custom_http_header: 'x:y' });
      assert.equal(status, 400, body.toString('latin1', 0, 100));
      assert.match(
        body.toString(),
        /^400\.306 - The page sent a request with more than 1,000 headers or 200 kB/,
      );
    }
  });

  test('a response whose headers would have to be changed is refused if they are long', async () => {
    await using web = await serveWeb({
      '/many.css': answerWith(300, ''),
      '/long.css': answerWith(1, ','.repeat(60_000)),
      '/short.css': answerWith(100, ','.repeat(1000)),
    });
    const links = ['many', 'long', 'short'].map(
      (name) => `<link rel="stylesheet" href="${web.url}/${name}.css">`,
    );
    const { status, headers, body } = await send(service, {
      text: `${links.join('')}<p>page`,
      fail_on_notes: 'blocked-resource',
    });
    assert.equal(status, 400);
    assert.equal(headers.get('x-service-note-codes'), 'blocked-resource');
    assert.match(
      body.toString(),
      /2 requests were blocked: .*many\.css and .*long\.css. Reason: its headers are too long/,
    );
  });

  test('a response that repeats a header more than 1,000 times ends the job', async () => {
    const repeated = (_request: unknown, response: ServerResponse) =>
      void response
        .writeHead(200, { 'content-type': 'text/css', nel: '{}', a: Array<string>(3000).fill('') })
        .end();
    await using web = await serveWeb({ '/many.css': repeated }, makeCertificates().server);
    const text = `<link rel="stylesheet" href="${web.url}/many.css"><p>page`;
    const { body } = await send(service, { text, verify_ssl_certificates: false });
    assert.match(body.toString(), /^400\.306 - A server sent/);
  });

  test('default_encoding asks servers for documents that are not compressed, and reads no others', async () => {
    const compressed = gzipSync(Buffer.concat([Buffer.from('<p>bomb'), Buffer.alloc(50_000_000, ' ')]));
    const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip' };
    await using web = await serveWeb({
      '/page': (_request, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(Buffer.from('<p>na\xefve', 'latin1')),
      '/bomb': (_request, response) => void response.writeHead(200, headers).end(compressed),
    });
    const converted = (path: string) =>
      send(service, { url: web.url + path, default_encoding: 'iso-8859-1' });
    assert.equal(pdfText((await converted('/page')).body), 'na\u00efve');
    assert.equal(web.headersOf('/page')?.['accept-encoding'], 'identity');
    // Chromium refuses it first, because it was not asked for.
    assert.equal(pdfText((await converted('/bomb')).body), 'bomb');
  });
});
