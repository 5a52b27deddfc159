import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import tls, { type TLSSocket } from 'node:tls';
import { before, test } from 'node:test';
import { makeOwnCertificate } from '../../../main/network/own-certificate.ts';
import { openGuard, type JobNetwork } from '../../../main/network/proxy.ts';
import { makeCertificates, type Certificates } from '../../support/certificates.ts';
import { rules } from './rules.ts';
import { nextText, openTunnel, serve, serveTcpEcho } from './world.ts';

let made: Certificates;
before(() => (made = makeCertificates()));

const open = () =>
  openGuard({
    rules: rules('public', { allow: '127.0.0.1,a.example' }),
    log: () => {},
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  });

const identity = (anyServer = true): JobNetwork => ({
  proxies: {},
  identity: { hostname: '127.0.0.1', pfx: made.client, passphrase: 'secret', anyServer },
});

/** Says the name on the client's certificate. */
async function serveAsking() {
  const options = { ...made.server, requestCert: true, rejectUnauthorized: false, ca: [made.clientCert] };
  const server = tls.createServer(options, (socket: TLSSocket) => {
    const { CN = 'nobody' } = (socket.getPeerCertificate() as Partial<tls.PeerCertificate>).subject ?? {};
    socket.on('error', () => {}).write(String(CN));
  });
  return serve(server);
}

/** As the browser: through a tunnel, whatever certificate is shown. */
async function secured(guardPort: number, authority: string): Promise<TLSSocket> {
  const { socket } = await openTunnel(guardPort, authority);
  const inside = tls.connect({ socket, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(inside, 'secureConnect');
  return inside;
}

test('a certificate of our own is sound, and known by its fingerprint as Electron writes it', () => {
  const { cert, fingerprint } = makeOwnCertificate();
  const read = new X509Certificate(cert);
  assert.ok(read.verify(read.publicKey));
  assert.ok(Date.parse(read.validFrom) < Date.now() && Date.parse(read.validTo) > Date.now());
  const hexadecimal = Buffer.from(fingerprint.replace('sha256/', ''), 'base64').toString('hex');
  assert.equal(hexadecimal, read.fingerprint256.replaceAll(':', '').toLowerCase());
  assert.notEqual(makeOwnCertificate().fingerprint, fingerprint);
});

test('a client certificate is shown to its host behind a certificate of our own, and to nobody after the reset', async () => {
  await using server = await serveAsking();
  await using guard = await open();
  guard.begin(identity());
  const inside = await secured(guard.port, `127.0.0.1:${server.port}`);
  assert.equal(await nextText(inside), 'A caller');
  assert.equal(inside.alpnProtocol, 'http/1.1');
  const shown = `sha256/${Buffer.from(inside.getPeerCertificate().fingerprint256.replaceAll(':', ''), 'hex').toString('base64')}`;
  assert.ok(guard.isOwnCertificate(shown));
  guard.reset();
  assert.ok(!guard.isOwnCertificate(shown));
  assert.equal(await nextText(await secured(guard.port, `127.0.0.1:${server.port}`)), 'nobody');
});

test('another host than that of the page is not shown the certificate', async () => {
  await using server = await serveAsking();
  await using guard = await open();
  guard.begin(identity());
  assert.equal(await nextText(await secured(guard.port, `a.example:${server.port}`)), 'nobody');
});

test('a server whose own certificate is not valid is not shown the certificate unless the caller allows it', async () => {
  await using server = await serveAsking();
  await using guard = await open();
  guard.begin(identity(false));
  await assert.rejects(secured(guard.port, `127.0.0.1:${server.port}`), /bad certificate/i);
});

test('a plain connection to the host passes as it is', async () => {
  await using server = await serveTcpEcho();
  await using guard = await open();
  guard.begin(identity());
  const { socket } = await openTunnel(guard.port, `127.0.0.1:${server.port}`);
  socket.write('GET plain');
  assert.equal(await nextText(socket), 'GET plain');
  socket.destroy();
});
