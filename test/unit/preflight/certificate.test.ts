import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { connect } from 'node:tls';
import pino from 'pino';
import { watchCertificate } from '../../../main/http/server/certificate-renewal.ts';
import { openCertificate } from '../../../main/preflight/certificate.ts';
import { makeCertificates } from '../../support/servers/certificates.ts';

const first = makeCertificates();
const second = makeCertificates();
const data = mkdtempSync(join(tmpdir(), 'platen-tls-'));
after(() => {
  rmSync(data, { recursive: true });
});

const write = (name: string, content: Buffer | string) => {
  // Replaces the file atomically, as a certificate renewal should.
  writeFileSync(join(data, 'new'), content);
  renameSync(join(data, 'new'), join(data, name));
};
write('own.pem', first.server.cert);
write('own.key', first.server.key);
write('both.pem', Buffer.concat([first.server.key, first.server.cert]));
write('other.key', second.server.key);
write('own.p12', first.client);
write('nonsense', 'nonsense');
write('empty', '');
write('huge', Buffer.alloc(1_000_001));
// Windows has neither named pipes in folders nor device files.
const isWindows = process.platform === 'win32';
if (!isWindows) execFileSync('mkfifo', [join(data, 'pipe')]);
execFileSync(
  'openssl',
  ['rsa', '-aes256', '-in', 'own.key', '-out', 'locked.key', '-passout', 'pass:secret'],
  {
    cwd: data,
    stdio: 'pipe',
  },
);

const open = (cert?: string, key?: string, passphrase?: string) =>
  openCertificate({ data, 'tls-cert': cert, 'tls-key': key, 'tls-passphrase': passphrase });

test('a certificate is read from PEM files, combined or with an encrypted key, or PKCS #12', async () => {
  for (const words of [
    ['own.pem', 'own.key'],
    [join(data, 'own.pem'), join(data, 'own.key')],
    ['both.pem'],
    ['own.pem', 'locked.key', 'secret'],
    ['own.p12', undefined, 'secret'],
  ]) {
    const certificate = await open(...words);
    const days = ((certificate?.validUntil.getTime() ?? 0) - Date.now()) / 86_400_000;
    assert.ok(days > 29 && days < 31, words.join());
  }
  assert.equal(await open(), undefined);
});

const noRegularFiles = [
  [['/dev/zero'], /^tls-cert: \/dev\/zero is not a file\.$/],
  [['own.pem', 'pipe'], /^tls-key: .*pipe is not a file\.$/],
] as const;

test('an unusable certificate is refused with its file and the reason', async () => {
  for (const [words, pattern] of [
    [['none.pem', 'own.key'], /^tls-cert: .*none\.pem does not exist\.$/],
    [['own.pem', 'none.key'], /^tls-key: .*none\.key does not exist\.$/],
    [['.', 'own.key'], /^tls-cert: .* is a folder\.$/],
    ...(isWindows ? [] : noRegularFiles),
    [['huge'], /^tls-cert: .*huge is too large for a certificate\.$/],
    [['own.pem'], /^tls-key is not set, and .*own\.pem contains no private key; /],
    [
      ['own.pem', 'other.key'],
      /^tls-key: the private key in .*other\.key does not match the first certificate in .*own\.pem/,
    ],
    [['own.pem', 'nonsense'], /^tls-key: .*nonsense contains no private key\.$/],
    [['own.pem', 'locked.key'], /^tls-key: .*locked\.key is encrypted; set tls-passphrase\.$/],
    [['own.pem', 'locked.key', 'x'], /^tls-key: .*locked\.key cannot be opened with this tls-passphrase\.$/],
    [['own.key', 'own.key'], /^tls-cert: .*own\.key contains no certificate\.$/],
    [['own.p12'], /^tls-cert: .*own\.p12 is encrypted; set tls-passphrase\.$/],
    [['own.p12', undefined, 'x'], /^tls-cert: .*own\.p12 cannot be opened with this tls-passphrase\.$/],
    [['own.p12', 'own.key', 'secret'], /^tls-key must not be set: .*own\.p12 is not a PEM file/],
    [['nonsense'], /^tls-cert: .*nonsense is neither PEM nor PKCS #12\.$/],
    [['empty'], /^tls-cert: .*empty is neither PEM nor PKCS #12\.$/],
    [[undefined, 'own.key'], /^tls-cert is not set/],
  ] as const) {
    const [cert, key, passphrase] = words as readonly (string | undefined)[];
    await assert.rejects(open(cert, key, passphrase), (problem: Error) => {
      assert.match(problem.message, pattern);
      assert.doesNotMatch(problem.message, /\n|secret/);
      return true;
    });
  }
});

/**
 * Starts an https server with a certificate and a log whose lines are collected in `lines`. `nextLine` resolves when a line matches
 * the pattern.
 */
async function startServer() {
  write('own.pem', first.server.cert);
  write('own.key', first.server.key);
  const certificate = await open('own.pem', 'own.key');
  assert.ok(certificate);
  const lines: string[] = [];
  let onLine = () => {};
  const log = pino(
    {},
    {
      write(line: string) {
        lines.push(line);
        onLine();
      },
    },
  );
  const nextLine = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      onLine = () => {
        if (lines.some((line) => pattern.test(line))) resolve();
      };
      onLine();
    });
  const server = createServer({ ...certificate.options }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, certificate, log, lines, nextLine };
}

test('a renewed certificate is used for the next connection; an invalid certificate is ignored', async () => {
  const { server, certificate, log, lines, nextLine } = await startServer();
  watchCertificate(server, certificate, { log, every: 10 });
  const shown = async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const [old, renewed] = [first, second].map((made) => new X509Certificate(made.server.cert).fingerprint256);
  try {
    await nextLine(/expires soon/);
    assert.equal(await shown(), old);
    write('own.pem', 'nonsense');
    await nextLine(/cannot be used; keeping the old one/);
    assert.equal(await shown(), old);
    write('own.key', second.server.key);
    write('own.pem', second.server.cert);
    await nextLine(/using the renewed certificate/);
    assert.equal(await shown(), renewed);
    assert.equal(lines.filter((line) => line.includes('expires soon')).length, 1);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test(
  'a certificate that is renewed between reading and watching it is used',
  { timeout: 20_000 },
  async () => {
    const { server, certificate, log, nextLine } = await startServer();
    try {
      write('own.key', second.server.key);
      write('own.pem', second.server.cert);
      watchCertificate(server, certificate, { log, every: 10 });
      await nextLine(/using the renewed certificate/);
    } finally {
      server.close();
    }
  },
);

test(
  'a renewed certificate that the TLS server rejects is ignored, with a log line',
  { timeout: 20_000 },
  async () => {
    const { server, certificate, log, lines, nextLine } = await startServer();
    Object.assign(server, {
      setSecureContext() {
        throw new Error('not this one');
      },
    });
    try {
      watchCertificate(server, certificate, { log, every: 10 });
      await nextLine(/expires soon/);
      write('own.key', second.server.key);
      write('own.pem', second.server.cert);
      await nextLine(/not this one.*cannot be used; keeping the old one/);
      assert.ok(!lines.some((line) => line.includes('using the renewed certificate')));
    } finally {
      server.close();
    }
  },
);

test('certificate files are not checked again after the server has closed', async () => {
  const { server, certificate, log } = await startServer();
  const timers: number[] = [];
  const timerMock = mock.method(globalThis, 'setTimeout', (_: () => void, every: number) => {
    timers.push(every);
    return { unref() {} };
  });
  try {
    const closed = once(server, 'close');
    server.close();
    watchCertificate(server, certificate, { log, every: 98_765 });
    await closed;
    // Waits for more file system calls than a check would need.
    for (let turn = 0; turn < 20; turn += 1) await stat(join(data, 'own.pem'));
  } finally {
    timerMock.mock.restore();
  }
  assert.ok(!timers.includes(98_765));
});
