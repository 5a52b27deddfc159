import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { convert, demo, refusal, send } from '../../support/service/convert.ts';
import { waitForStderr } from '../../support/service/wait-for-log.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb, type WebServer } from '../../support/servers/web-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Resolves when the web server receives a request for the path. */
async function askedFor(web: WebServer, path: string): Promise<void> {
  await waitUntil(`a request for ${path}`, () => web.requestedPaths.includes(path));
}

describe('Misbehaving pages and clients:', () => {
  let service: Service;
  before(async () => {
    const flags = ['--job-timeout', '4', '--workers', '1', '--network-allow', '127.0.0.1,localhost'];
    service = await startService({ flags });
  });
  after(() => service[Symbol.asyncDispose]());

  const closings = [
    'close()',
    'setTimeout(close, 0)',
    'setTimeout(close, 50)',
    'const f = document.createElement("iframe"); document.body.append(f); f.contentWindow.close.call(top)',
  ];
  for (const closing of closings) {
    test(`a page that closes itself is still converted: ${closing}`, async () => {
      assert.equal(
        pdfText(await convert(service, { text: `<body><p>page</p><script>${closing}</script>` })),
        'page',
      );
    });
  }

  test('clients that disconnect during a capture do not affect later jobs', async () => {
    const text = '<div style="height:30000px;background:linear-gradient(red,blue)"></div>';
    for (const delay of [80, 120, 160, 200, 250, 300, 400, 500]) {
      const signal = AbortSignal.timeout(delay);
      await send(service, { text, output_format: 'png' }, { signal }).catch(() => undefined);
    }
    assert.equal(pdfText(await convert(service, { text: 'alive' })), 'alive');
  });

  test('a page that prints itself or opens a dialog is converted without a wait', async () => {
    const text =
      '<body onload="print(); document.body.append(String(prompt(1)))"><p>page</p><script>print()</script>';
    assert.match(pdfText(await convert(service, { text })), /page null/);
  });

  test('a resource that never responds does not fail its page', async () => {
    await using web = await serveWeb({ '/hang.png': () => undefined });
    const text = `<p>shown</p><img src="${web.url}/hang.png">`;
    assert.equal(pdfText(await convert(service, { text })), 'shown');
  });

  test('a page without the element that wait_for_element selects fails with 400.324 and the selector', async () => {
    assert.match(
      await refusal(service, { text: '<p>x', wait_for_element: '#never' }),
      /^400\.324 - .*'#never' within \d/,
    );
  });

  test('a page that navigates to a URL with mailto:, file: or an unknown scheme is converted nevertheless', async () => {
    for (const address of ['mailto:a@b.example', 'unknown:x', 'file:///etc/passwd']) {
      const text = `<p>page</p><script>setTimeout(() => { location.href = '${address}' }, 10)</script>`;
      assert.equal(pdfText(await convert(service, { text })), 'page', address);
    }
  });

  test('a frame from another site is printed with its page', async () => {
    await using web = await serveWeb({ '/frame': '<p>framed</p>', '/': '<p>page</p>' });
    const text = `<p>page</p><iframe src="${web.url}/frame"></iframe>`;
    assert.match(pdfText(await convert(service, { text })), /page framed/);
    const nested = `<p>page</p><iframe src="http://localhost:${web.port}/frame"></iframe>`;
    await using outer = await serveWeb({ '/': nested });
    assert.match(pdfText(await convert(service, { url: outer.url })), /page/);
  });

  test('if a page navigates during a wait, the new page is converted, without its service-remove elements', async () => {
    await using web = await serveWeb({ '/next': '<p>next</p><p class="service-remove">gone</p>' });
    const go = `location.href = '${web.url}/next'`;
    const delayed = { text: `<script>setTimeout(() => { ${go} }, 100)</script>first`, javascript_delay: 400 };
    assert.equal(pdfText(await convert(service, delayed)), 'next');
    const driven = {
      text: 'first',
      custom_javascript: `${go}; new Promise((done) => setTimeout(done, 1000))`,
    };
    assert.equal(pdfText(await convert(service, driven)), 'next');
  });

  test('a url that the network policy refuses fails with 400.322 without details, also after a redirect', async () => {
    await using web = await serveWeb({
      '/away': (_request, response) =>
        response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    });
    for (const url of [
      'http://169.254.169.254/',
      'http://[::1]:8080/',
      'http://0.0.0.0/',
      `${web.url}/away`,
    ]) {
      const message = await refusal(service, { url });
      assert.match(message, /^400\.322 - \D+$/, url);
    }
    await waitForStderr(service, /169\.254\.169\.254/);
  });

  test('a refused resource fails neither its page nor the next job', async () => {
    const text = '<p>page</p><img src="http://169.254.169.254/x.png"><iframe src="http://[::1]:9/"></iframe>';
    assert.match(pdfText(await convert(service, { text })), /page/);
    const { headers } = await send(service, { text: 'x', debug_log: true });
    const log = await (await fetch(headers.get('x-service-debug-log') ?? '')).text();
    assert.doesNotMatch(log, /169\.254/);
  });

  test('clients that disconnect while a page loads do not affect later jobs', async () => {
    await using web = await serveWeb({ '/hang.png': () => undefined });
    for (let n = 0; n < 3; n += 1) {
      const controller = new AbortController();
      const sent = send(
        service,
        { text: `<img src="${web.url}/hang.png?${n}">` },
        { signal: controller.signal },
      );
      await waitUntil('the image is requested', () => web.requestedPaths.length > n);
      controller.abort();
      await assert.rejects(sent);
    }
    await askedFor(web, '/hang.png');
    // This job takes longer than the aborted jobs, so it would fail if they still occupied the window.
    assert.equal((await send(service, { text: '<script></script>x', javascript_delay: 2300 })).status, 200);
    assert.equal((await fetch(`${service.url}/health`)).status, 200);
  });

  test('an aborted upload leaves no files in the data folder', async () => {
    const port = Number(new URL(service.url).port);
    const bodies = [
      ['application/x-www-form-urlencoded', 'Content-Length: 100', 'text=ab'],
      ['application/x-www-form-urlencoded', 'Transfer-Encoding: chunked', 'zz\r\n'],
      [
        'multipart/form-data; boundary=b',
        'Content-Length: 1000',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx',
      ],
    ] as const;
    for (const [type, length, body] of bodies) {
      const socket = connect(port, '127.0.0.1');
      // Reads, because otherwise the socket does not detect that the server closes the connection.
      socket.on('error', () => undefined).resume();
      const head = `POST /convert/24.04/ HTTP/1.1\r\nHost: x\r\nAuthorization: ${demo}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`;
      await new Promise<void>((resolve) =>
        socket.write(head + body, () => {
          resolve();
        }),
      );
      const hasFiles = () => readdirSync(join(service.data, 'work')).length > 0;
      await waitUntil('the job has files', () => hasFiles() || socket.closed);
      socket.destroy();
      await waitUntil('the files of the job are deleted', () => !hasFiles());
    }
    assert.equal((await send(service, { text: 'x' })).status, 200);
  });

  test('a very long script error is shortened', async () => {
    const message = await refusal(service, { text: 'x', custom_javascript: 'throw "x".repeat(1e6)' });
    assert.ok(message.length < 300, String(message.length));
  });

  test('a page that breaks built-in functions is converted', async () => {
    for (const spoilt of [
      'performance.getEntriesByType = () => undefined',
      'Error.prepareStackTrace = (_error, frames) => frames',
      "Object.defineProperty(globalThis, Symbol.for('platen.timers'), { value: () => { for (;;); } })",
      'setTimeout = undefined',
      'Object.defineProperty(Array.prototype, "map", { get() { throw 1 } })',
      'Object.defineProperty(Array.prototype, "toJSON", { get() { throw 1 } })',
    ]) {
      const text = `<p>seen</p><script>setTimeout(() => {}, 5000); try { ${spoilt} } catch {}</script>`;
      const answer = await send(service, { text, debug_log: true });
      assert.equal(answer.status, 200, spoilt);
    }
  });

  for (const debug_log of [false, true])
    test(`timers run in a page that breaks array methods, ${debug_log ? 'with' : 'without'} a debug log`, async () => {
      const breakMethod = (name: string) => `Array.prototype.${name} = () => { throw new Error('spoilt') };`;
      const text = `<p>page</p><script>${['push', 'findIndex', 'splice', 'filter'].map(breakMethod).join('')} Reflect.apply = undefined;
        clearTimeout(setTimeout(() => document.body.append('never'), 20)); setTimeout(() => document.body.append('timed'), 20)</script>`;
      const answer = await send(service, { text, javascript_delay: 200, debug_log });
      assert.equal(pdfText(answer.body), 'page timed');
    });
});
