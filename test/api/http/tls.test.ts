import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect as connectPlainly } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect } from 'node:tls';
import { parseResponses, sendRaw, readAll } from '../../support/servers/raw-connection.ts';
import { makeCertificates } from '../../support/servers/certificates.ts';
import { demo } from '../../support/service/convert.ts';
import { waitForStderr } from '../../support/service/wait-for-log.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { spawnPlaten, startService, temporaryFolder, type Service } from '../../support/service/service.ts';

const { server, client } = makeCertificates();

function folderWithCertificates(): string {
  const data = temporaryFolder();
  writeFileSync(join(data, 'own.pem'), server.cert);
  writeFileSync(join(data, 'own.key'), server.key);
  writeFileSync(join(data, 'own.p12'), client);
  writeFileSync(join(data, 'nonsense.pem'), 'nonsense');
  return data;
}

const form = 'text=secure&debug_log=1';
const post = `POST /convert/24.04/ HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\nAuthorization: ${demo}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
const health = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('With a TLS certificate,', () => {
  let service: Service;
  before(async () => {
    const flags = ['--tls-cert', 'own.pem', '--tls-key', 'own.key'];
    service = await startService({ data: folderWithCertificates(), flags });
  });
  after(() => service[Symbol.asyncDispose]());

  test('the service uses HTTPS, and so do its links', async () => {
    assert.match(service.url, /^https:\/\/127\.0\.0\.1:\d+$/);
    const [answer] = parseResponses(await sendRaw(service, post));
    assert.equal(answer?.headers['content-type'], 'application/pdf');
    assert.match(answer.headers['x-service-debug-log'] ?? '', /^https:\/\/localhost:1\/debug-log\//);
    // HSTS is sent only on port 443, because it applies to the whole host.
    assert.equal(answer.headers['strict-transport-security'], undefined);
  });

  test('a large form arrives complete', async () => {
    const begin = '<p>';
    const end = '<p>it is all here';
    const text = `${begin}${' '.repeat(3_000_000)}${end}`;
    const head = post.replace(/Content-Length: \d+\r\n\r\n.*$/, `Content-Length: ${text.length + 5}\r\n\r\n`);
    const received = await sendRaw(service, `${head}text=${text}`);
    assert.match(pdfText(Buffer.from(received.slice(received.indexOf('%PDF-')), 'latin1')), /it is all here/);
  });

  test('the log warns that the certificate expires within thirty days', async () => {
    await waitForStderr(service, /"msg":"the certificate expires soon"/);
  });

  test('TLS 1.2 and 1.3 are supported, 1.1 is not', async () => {
    const { hostname, port } = new URL(service.url);
    const spoken = async (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => {
      const socket = connect({
        host: hostname,
        port: Number(port),
        rejectUnauthorized: false,
        minVersion: version,
        maxVersion: version,
        ciphers: 'ALL@SECLEVEL=0',
      });
      try {
        await once(socket, 'secureConnect');
        return socket.getProtocol();
      } catch {
        return 'none';
      } finally {
        socket.destroy();
      }
    };
    assert.deepEqual(
      [await spoken('TLSv1.1'), await spoken('TLSv1.2'), await spoken('TLSv1.3')],
      ['none', 'TLSv1.2', 'TLSv1.3'],
    );
  });

  test('plain HTTP and random bytes on the HTTPS port are ignored, and an invalid request inside TLS gets an error response', async () => {
    const { hostname, port } = new URL(service.url);
    for (const bytes of [health, '\x16\x03\x01\x00\x05hello', 'x'.repeat(100_000)]) {
      const socket = connectPlainly(Number(port), hostname).on('error', () => {});
      const received = readAll(socket);
      socket.write(bytes);
      assert.doesNotMatch(await received, /HTTP/);
    }
    const bad = parseResponses(await sendRaw(service, 'GET /health HTTP/1.1\nHost: x\n\n'));
    assert.match(bad[0]?.body ?? '', /^400\.400 - /);
    assert.equal(parseResponses(await sendRaw(service, health))[0]?.status, 200);
    assert.doesNotMatch(service.log(), /"level":50/);
  });
});

test('the certificate can be a PKCS #12 file', async () => {
  const flags = ['--tls-cert', 'own.p12', '--tls-passphrase', 'secret'];
  await using service = await startService({ data: folderWithCertificates(), flags });
  assert.equal(parseResponses(await sendRaw(service, health))[0]?.status, 200);
  await waitForStderr(service, /"msg":"the certificate expires soon"/);
});

test('a certificate that cannot be used prevents the start, with a one-line message and exit code 1', async () => {
  const data = folderWithCertificates();
  execFileSync('openssl', [
    'rsa',
    '-aes256',
    '-in',
    join(data, 'own.key'),
    '-out',
    join(data, 'locked.key'),
    '-passout',
    'pass:secret',
  ]);
  const at = (name: string) => join(data, name);
  for (const [flags, message] of [
    [['--tls-cert', 'none.pem', '--tls-key', 'own.key'], `tls-cert: ${at('none.pem')} does not exist.`],
    [
      ['--tls-cert', 'own.p12', '--tls-passphrase', 'wrong'],
      `tls-cert: ${at('own.p12')} cannot be opened with this tls-passphrase.`,
    ],
    [['--tls-cert', 'nonsense.pem'], `tls-cert: ${at('nonsense.pem')} is neither PEM nor PKCS #12.`],
    [
      ['--tls-cert', 'own.pem', '--tls-key', 'locked.key'],
      `tls-key: ${at('locked.key')} is encrypted; set tls-passphrase.`,
    ],
  ] as const) {
    const child = spawnPlaten(['serve', '--port', '0', '--data', data, ...flags]);
    let errors = '';
    child.stderr?.on('data', (bytes: Buffer) => (errors += bytes.toString()));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 1);
    assert.deepEqual(
      errors.split('\n').filter((line) => line.startsWith('platen:')),
      [`platen: ${message}`],
    );
    assert.doesNotMatch(errors, / at .*\.c?js:/);
  }
});
