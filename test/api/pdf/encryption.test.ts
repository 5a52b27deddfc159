import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { serve } from '../../unit/network/test-servers.ts';
import { makeCertificates, type Certificates } from '../../support/servers/certificates.ts';
import { convert, htmlFile, refusal } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

/** The certificate of a client; Node.js returns an empty object if there is none. */
interface PeerCertificate {
  readonly subject?: { readonly CN: string };
}

describe('TLS and proxies:', () => {
  let service: Service;
  let made: Certificates;
  before(async () => {
    made = makeCertificates();
    const flags = ['--network-allow', '127.0.0.1,far.example', '--workers', '1', '--job-timeout', '8'];
    service = await startService({ flags });
  });
  after(() => service[Symbol.asyncDispose]());
  const textOf = async (fields: Parameters<typeof convert>[1]) => pdfText(await convert(service, fields));

  test('an untrusted server certificate is refused, except in a job that disables the verification', async () => {
    const page = '<p>secure</p><script src="/s.js"></script>';
    await using web = await serveWeb(
      { '/': page, '/s.js': 'document.body.append(" and scripted")' },
      made.server,
    );
    const url = `${web.url}/`;
    const refused = /^400\.321 - The page of 127\.0\.0\.1 could not be loaded: its TLS certificate/;
    assert.match(await refusal(service, { url }), refused);
    for (let round = 0; round < 2; round += 1) {
      assert.equal(await textOf({ url, verify_ssl_certificates: false }), 'secure and scripted');
      assert.match(await refusal(service, { url }), refused);
    }
    const text = `<p>sent</p><script src="${web.url}/s.js"></script>`;
    assert.equal(await textOf({ text }), 'sent');
    assert.equal(await textOf({ text, verify_ssl_certificates: false }), 'sent and scripted');
  });

  test('client_certificate is sent to the site of url, but not in the next job', async () => {
    const options = { ...made.server, requestCert: true, rejectUnauthorized: false, ca: [made.clientCert] };
    await using web = await serveWeb(
      {
        '/': (request, response) => {
          const { socket } = request;
          const { subject } = (
            socket instanceof TLSSocket ? socket.getPeerCertificate() : {}
          ) as PeerCertificate;
          const who = subject?.CN ?? 'nobody';
          response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${who}</p>`);
        },
      },
      options,
    );
    const url = `${web.url}/`;
    const fields = {
      url,
      verify_ssl_certificates: false,
      client_certificate_password: 'secret',
      client_certificate: htmlFile(new Uint8Array(made.client), 'caller.p12'),
    };
    assert.equal(await textOf(fields), 'A caller');
    assert.equal(await textOf({ url, verify_ssl_certificates: false }), 'nobody');
    assert.match(
      await refusal(service, { ...fields, verify_ssl_certificates: true }),
      /^400\.321 - .* its TLS certificate/,
    );
    assert.match(
      await refusal(service, { ...fields, client_certificate_password: 'wrong' }),
      /^400\.311 - client_certificate .*PKCS #12/,
    );
    assert.match(
      await refusal(service, { ...fields, client_certificate: htmlFile('none') }),
      /^400\.311 - client_certificate/,
    );
    assert.match(
      await refusal(service, {
        ...fields,
        client_certificate: htmlFile(new Uint8Array(made.slowClient), 'slow.p12'),
      }),
      /^400\.311 - client_certificate takes too long to open; export it again/,
    );
  });

  test('http_proxy and https_proxy apply to URLs with their scheme, and only to their job', async () => {
    await using secure = await serveWeb({ '/': '<p>by tunnel</p>' }, made.server);
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>by proxy</p>');
    });
    server.on('connect', (request, socket) => {
      seen.push(`CONNECT ${request.url ?? ''}`);
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(connect(secure.port, '127.0.0.1').on('error', () => {})).pipe(socket);
    });
    await using proxy = await serve(server);
    const here = `127.0.0.1:${proxy.port}`;
    assert.equal(await textOf({ url: 'http://far.example/page', http_proxy: here }), 'by proxy');
    const tunnelled = { url: 'https://far.example/', verify_ssl_certificates: false };
    assert.equal(await textOf({ ...tunnelled, https_proxy: here }), 'by tunnel');
    assert.deepEqual([...new Set(seen)], ['GET http://far.example/page', 'CONNECT far.example:443']);
    const before = seen.length;
    assert.match(await refusal(service, { url: 'http://far.example/page' }), /^400\.321/);
    assert.match(await refusal(service, { url: 'http://far.example/page', https_proxy: here }), /^400\.321/);
    assert.equal(seen.length, before);
  });

  const skip = process.platform === 'darwin' && 'macOS has only one loopback address, 127.0.0.1';
  test('the network policy applies to the proxy and to the requested URLs', { skip }, async () => {
    await using proxy = await serve(
      createServer((_request, response) => response.end('never')),
      '127.0.0.2',
    );
    assert.match(
      await refusal(service, { url: 'http://far.example/', http_proxy: `127.0.0.2:${proxy.port}` }),
      /^400\.322/,
    );
    await using allowed = await serve(createServer((_request, response) => response.end('never')));
    assert.match(
      await refusal(service, { url: 'http://169.254.169.254/', http_proxy: `127.0.0.1:${allowed.port}` }),
      /^400\.322/,
    );
  });
});
