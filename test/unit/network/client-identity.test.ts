import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import tls, { type TLSSocket } from 'node:tls';
import { before, test } from 'node:test';
import { createSelfSignedCertificate } from '../../../main/network/self-signed-certificate.ts';
import { openGuard, type JobNetwork } from '../../../main/network/proxy.ts';
import { makeCertificates, type Certificates } from '../../support/servers/certificates.ts';
import { rules } from './rules.ts';
import { nextText, openTunnel, serve, serveTcpEcho } from './test-servers.ts';

let certificates: Certificates;
before(() => (certificates = makeCertificates()));

const open = () =>
  openGuard({
    rules: rules('public', { allow: '127.0.0.1,a.example' }),
    log: () => {},
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  });

const identity = (acceptsInvalidCertificate = true): JobNetwork => ({
  proxies: {},
  identity: {
    hostname: '127.0.0.1',
    pfx: certificates.client,
    passphrase: 'secret',
    acceptsInvalidCertificate,
  },
});

/** Starts a TLS server that sends the common name in the client's certificate, or `nobody`. */
async function serveCommonName() {
  const options = {
    ...certificates.server,
    requestCert: true,
    rejectUnauthorized: false,
    ca: [certificates.clientCert],
  };
  const server = tls.createServer(options, (socket: TLSSocket) => {
    const { CN = 'nobody' } = (socket.getPeerCertificate() as Partial<tls.PeerCertificate>).subject ?? {};
    socket.on('error', () => {}).write(String(CN));
  });
  return serve(server);
}

/** Connects like the browser: through a tunnel, accepting any server certificate. */
async function connectSecurely(guardPort: number, authority: string): Promise<TLSSocket> {
  const { socket } = await openTunnel(guardPort, authority);
  const inside = tls.connect({ socket, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(inside, 'secureConnect');
  return inside;
}

test("the network guard's certificate is valid and has a fingerprint in Electron's format", () => {
  const { cert, fingerprint } = createSelfSignedCertificate();
  const read = new X509Certificate(cert);
  assert.ok(read.verify(read.publicKey));
  assert.ok(Date.parse(read.validFrom) < Date.now() && Date.parse(read.validTo) > Date.now());
  const hexadecimal = Buffer.from(fingerprint.replace('sha256/', ''), 'base64').toString('hex');
  assert.equal(hexadecimal, read.fingerprint256.replaceAll(':', '').toLowerCase());
  assert.notEqual(createSelfSignedCertificate().fingerprint, fingerprint);
});

test('a client certificate is presented to its host only until the network guard is reset', async () => {
  await using server = await serveCommonName();
  await using guard = await open();
  guard.begin(identity());
  const inside = await connectSecurely(guard.port, `127.0.0.1:${server.port}`);
  assert.equal(await nextText(inside), 'A caller');
  assert.equal(inside.alpnProtocol, 'http/1.1');
  const shown = `sha256/${Buffer.from(inside.getPeerCertificate().fingerprint256.replaceAll(':', ''), 'hex').toString('base64')}`;
  assert.ok(guard.isOwnCertificate(shown));
  guard.reset();
  assert.ok(!guard.isOwnCertificate(shown));
  assert.equal(await nextText(await connectSecurely(guard.port, `127.0.0.1:${server.port}`)), 'nobody');
});

test('a client certificate is not presented to other hosts', async () => {
  await using server = await serveCommonName();
  await using guard = await open();
  guard.begin(identity());
  assert.equal(await nextText(await connectSecurely(guard.port, `a.example:${server.port}`)), 'nobody');
});

test('a server with an invalid certificate is refused if the job verifies server certificates', async () => {
  await using server = await serveCommonName();
  await using guard = await open();
  guard.begin(identity(false));
  await assert.rejects(connectSecurely(guard.port, `127.0.0.1:${server.port}`), /bad certificate/i);
});

test('a tunnel without TLS to the host of the client certificate is relayed unchanged', async () => {
  await using server = await serveTcpEcho();
  await using guard = await open();
  guard.begin(identity());
  const { socket } = await openTunnel(guard.port, `127.0.0.1:${server.port}`);
  socket.write('GET plain');
  assert.equal(await nextText(socket), 'GET plain');
  socket.destroy();
});
