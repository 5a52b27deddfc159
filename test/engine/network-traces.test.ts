/** Network state such as HSTS and TLS sessions does not reach the next job. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { test } from 'node:test';
import type { Engine } from '../../main/engine/engine.ts';
import { loadPage } from '../../main/engine/loading/load-page.ts';
import { readHostPattern } from '../../main/network/policy.ts';
import { makeCertificates } from '../support/servers/certificates.ts';
import { newRun, startEngine } from '../support/service/engine.ts';
import { serveWeb } from '../support/servers/web-server.ts';

const certificates = makeCertificates();

/** Pages whose requests get a response with an HSTS header (RFC 6797), by the initiator of the request. */
const pagesByInitiator: Readonly<Record<string, (host: string) => string>> = {
  'a frame': (host) => `<iframe src="https://${host}/"></iframe>`,
  'an image': (host) => `<img src="https://${host}/">`,
  'a script': (host) => `<script type="module">await fetch('https://${host}/', { mode: 'no-cors' })</script>`,
  'a WebSocket': (host) => `<script type="module">
    const socket = new WebSocket('wss://${host}/');
    await new Promise((resolve) => (socket.onopen = resolve));
  </script>`,
};

for (const [initiator, page] of Object.entries(pagesByInitiator)) {
  test(`an HSTS header that ${initiator} received does not affect http requests of the next job`, async () => {
    await using secure = await serveSecurely();
    await using plain = await serveWeb({ '/': '<title>plain</title>' });
    await using engine = await startOnSite();
    const html = page(`site.example:${secure.port}`);
    await using first = await serveWeb({ '/': html });
    await titleOf(engine, `http://other.example:${first.port}/`);
    assert.equal(secure.answered(), 1);
    assert.equal(await titleOf(engine, `http://site.example:${plain.port}/`), 'plain');
    assert.equal(await titleOf(engine, `http://sub.site.example:${plain.port}/`), 'plain');
  });
}

test('a TLS session of one job is not resumed by the next', async () => {
  const resumed: boolean[] = [];
  await using secure = await serveWeb(
    {
      '/': ({ socket }, response) => {
        resumed.push(socket instanceof TLSSocket && socket.isSessionReused());
        response.writeHead(200, { 'content-type': 'text/html', connection: 'close' });
        response.end('<title>secure</title>');
      },
    },
    certificates.server,
  );
  await using engine = await startOnSite();
  for (let n = 0; n < 3; n += 1) await titleOf(engine, `https://site.example:${secure.port}/`);
  assert.deepEqual(resumed, [false, false, false]);
});

async function serveSecurely() {
  const sockets = new Set<Duplex>();
  let answered = 0;
  const hstsHeader = 'max-age=31536000; includeSubDomains';
  const server = createServer(certificates.server, (_request, response) => {
    response.writeHead(200, { 'strict-transport-security': hstsHeader, 'content-type': 'text/html' });
    response.end('secure');
    answered += 1;
  });
  server.on('upgrade', ({ headers }: IncomingMessage, socket: Duplex) => {
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
      `Strict-Transport-Security: ${hstsHeader}`,
    ];
    sockets.add(socket.on('error', () => {}));
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    answered += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    answered: () => answered,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts an engine with one worker, which resolves all host names to 127.0.0.1. */
function startOnSite(): Promise<Engine> {
  const allow = ['site.example', '*.site.example', 'other.example']
    .map(readHostPattern)
    .filter((pattern) => pattern !== undefined);
  return startEngine({
    workers: 1,
    network: {
      rules: { policy: 'intranet', allow, deny: [] },
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    },
  });
}

/** Returns the title of a page. Trusts every certificate, because browsers keep no state from an untrusted server. */
async function titleOf(engine: Engine, url: string): Promise<string> {
  const source = { kind: 'remote', url: new URL(url), scripts: true } as const;
  return engine.withWindow(newRun(''), source, async (window, limited) => {
    window.context.session.setCertificateVerifyProc((_request, answer) => {
      answer(0);
    });
    await loadPage(window, source, limited);
    return window.contents.getTitle();
  });
}
