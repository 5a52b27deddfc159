/** TLS to PostgreSQL, with a server that only accepts the request for TLS and then shows a certificate. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { openPostgres } from '../../../../../main/accounts/store/postgres/postgres-database.ts';
import { locationOf } from '../../../../support/postgres/databases.ts';
import { makeCertificates } from '../../../../support/servers/certificates.ts';
import { temporaryFolder } from '../../../../support/service/service.ts';

const { server: certificate } = makeCertificates();

/** Resolves with the first bytes that each client sends after the handshake: none if it does not trust the server. */
async function serveTls(answer: 'S' | 'N') {
  const received: Buffer[] = [];
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(answer);
      if (answer === 'N') return;
      const secured = new TLSSocket(socket, { isServer: true, ...certificate });
      secured.on('error', () => {});
      secured.once('data', (bytes: Buffer) => {
        received.push(bytes);
        secured.destroy();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    open: (query: string) =>
      openPostgres({ location: locationOf(`postgres://127.0.0.1:${port}/x?${query}`) }),
    [Symbol.dispose]() {
      server.close();
    },
  };
}

test('a server without TLS is refused, with the parameter that would allow it, unless sslmode is prefer', async () => {
  using server = await serveTls('N');
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    await assert.rejects(server.open(`sslmode=${mode}`), new RegExp(`sslmode is ${mode}.*sslmode=disable`));
});

test('a server whose certificate is not trusted gets nothing, and the error names sslrootcert', async () => {
  using server = await serveTls('S');
  for (const mode of ['verify-ca', 'verify-full'])
    await assert.rejects(server.open(`sslmode=${mode}`), new RegExp(`sslmode is ${mode}.*sslrootcert=FILE`));
  assert.deepEqual(server.received, []);
});

test('a server with a trusted certificate gets the start message, and so does any with require', async () => {
  using server = await serveTls('S');
  const folder = temporaryFolder();
  const path = join(folder, 'ca.pem');
  writeFileSync(path, certificate.cert);
  const trusted = `sslrootcert=${encodeURIComponent(path)}`;
  for (const query of ['sslmode=require', `sslmode=verify-full&${trusted}`, `sslmode=verify-ca&${trusted}`]) {
    const before = server.received.length;
    await assert.rejects(server.open(query));
    assert.ok(server.received.length > before, query);
  }
  rmSync(folder, { recursive: true });
});
