import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ConsoleEvent, LogEvent, RequestEvent } from '../../../main/log/events.ts';
import { htmlFile, send, type Fields } from '../../support/service/convert.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';
import { zip } from '../../support/archives/zip-writer.ts';

const square =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="#0f0"/></svg>';

describe('Recordings in the debug log:', () => {
  let service: Service;
  before(async () => {
    service = await startService({ flags: ['--network-allow', '127.0.0.1', '--workers', '1'] });
  });
  after(() => service[Symbol.asyncDispose]());

  const eventsOf = async (fields: Fields): Promise<LogEvent[]> => {
    const { headers } = await send(service, { ...fields, debug_log: true });
    const link = headers.get('x-service-debug-log') ?? '';
    const log = await fetch(link, { headers: { accept: 'application/json' } });
    const text = await log.text();
    assert.doesNotMatch(text, /ERR_[A-Z]/, 'the log contains the name of a network error');
    assert.doesNotMatch(text, /platen:\/\/job\/[\da-f]{8}-/, 'the log contains the name of a job folder');
    return (JSON.parse(text) as { events: LogEvent[] }).events;
  };
  const requestsOf = async (fields: Fields) =>
    (await eventsOf(fields)).filter(
      (event): event is RequestEvent & { at: number } => event.kind === 'request',
    );
  const saidIn = async (fields: Fields) =>
    (await eventsOf(fields)).filter(
      (event): event is ConsoleEvent & { at: number } => event.kind === 'console',
    );
  const detailOf = (requests: readonly RequestEvent[], text: string) => {
    const found = requests.filter((request) => request.text === text);
    assert.equal(
      found.length,
      1,
      `${text} is not exactly once in ${JSON.stringify(requests.map((request) => request.text))}`,
    );
    return found[0]?.detail ?? assert.fail();
  };

  test('a request is recorded with its method, type, times, status, size, headers and initiator', async () => {
    await using web = await serveWeb({
      '/page': `<!doctype html>\n<link rel="stylesheet" href="/style.css">\n<script>fetch('/data', { method: 'POST' })</script>`,
      '/style.css': (_request, response) => {
        const headers = { 'content-type': 'text/css', 'content-length': 3000, 'x-sent': 'yes' };
        response.writeHead(200, headers).end('p{}'.repeat(1000));
      },
      '/data': '{}',
    });
    const requests = await requestsOf({ url: `${web.url}/page` });
    const style = detailOf(requests, `${web.url}/style.css`);
    assert.deepEqual(
      [style.method, style.type, style.status, style.mime, style.from, style.protocol],
      ['GET', 'Stylesheet', 200, 'text/css', 'network', 'http/1.1'],
    );
    // A request that is sent while the page replaces the previous page is recorded without a line.
    assert.ok([`${web.url}/page`, `${web.url}/page:2`].includes(style.initiator ?? ''), style.initiator);
    assert.ok(
      (style.bytes ?? 0) >= 3000 && (style.bytes ?? 0) < 4000,
      'the size is not that of the body, with or without headers',
    );
    assert.ok((style.began ?? -1) > (detailOf(requests, `${web.url}/page`).began ?? 1e9));
    assert.ok(style.responseHeaders?.some(({ name, value }) => name === 'x-sent' && value === 'yes'));
    assert.ok(style.requestHeaders?.some(({ name, value }) => name === 'User-Agent' && value !== ''));
    const data = detailOf(requests, `${web.url}/data`);
    assert.deepEqual([data.method, data.type, data.initiator], ['POST', 'Fetch', `${web.url}/page:3`]);
  });

  test('the wait for a slow response is recorded as its wait phase', async () => {
    await using web = await serveWeb({
      '/slow.svg': (_request, response) => {
        setTimeout(() => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(square), 400);
      },
    });
    const requests = await requestsOf({ text: `<img src="${web.url}/slow.svg">` });
    const slow = requests.find(({ text }) => text.endsWith('/slow.svg'));
    assert.ok((slow?.took ?? 0) >= 390 && (slow?.took ?? 0) < 30_000, String(slow?.took));
    assert.ok((slow?.detail.phases?.wait ?? 0) >= 380);
  });

  test('files of an archive are recorded with their paths, and missing files as missing', async () => {
    const archive = zip([
      {
        name: 'index.html',
        contents: '<img src="img/a.svg"><img src="img/none.png"><link rel="stylesheet" href="/gone.css">',
      },
      { name: 'img/a.svg', contents: square },
    ]);
    const requests = await requestsOf({ file: htmlFile(new Uint8Array(archive), 'site.zip') });
    const there = detailOf(requests, 'img/a.svg');
    assert.deepEqual([there.status, there.from, there.initiator], [200, 'job', 'index.html:1']);
    assert.equal(there.bytes, square.length);
    for (const path of ['img/none.png', 'gone.css']) {
      const { status, failed } = detailOf(requests, path);
      assert.deepEqual([status, failed], [404, 'no such file in the archive'], path);
    }
  });

  test('missing files are recorded even while frames start, when Chromium reports no requests', async () => {
    const text = `<link rel="stylesheet" href="css/a.css"><img src="img/none.png"><iframe src="sub.html"></iframe><p>x`;
    for (const name of ['css/a.css', 'img/none.png', 'sub.html'])
      assert.equal(detailOf(await requestsOf({ text }), name).failed, 'no such file in the upload', name);
  });

  test('each redirect of a chain is recorded with its target', async () => {
    await using web = await serveWeb({
      '/one.svg': (_request, response) => response.writeHead(302, { location: '/two.svg' }).end(),
      '/two.svg': (_request, response) => response.writeHead(307, { location: '/three.svg' }).end(),
      '/three.svg': (_request, response) =>
        response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(square),
    });
    const requests = await requestsOf({ text: `<img src="${web.url}/one.svg">` });
    assert.deepEqual(
      ['/one.svg', '/two.svg', '/three.svg'].map((path) => {
        const { status, redirected } = detailOf(requests, web.url + path);
        return [status, redirected];
      }),
      [
        [302, `${web.url}/two.svg`],
        [307, `${web.url}/three.svg`],
        [200, undefined],
      ],
    );
  });

  test('all requests of a redirect loop are recorded', async () => {
    let turn = 0;
    await using web = await serveWeb({
      '/loop': (_request, response) => response.writeHead(302, { location: `/loop?${(turn += 1)}` }).end(),
    });
    const events = await eventsOf({ url: `${web.url}/loop` });
    const requests = events.filter(
      (event): event is RequestEvent & { at: number } => event.kind === 'request',
    );
    assert.ok(requests.length >= 20, String(requests.length));
    requests.slice(0, -1).forEach(({ text, detail }, index) => {
      assert.deepEqual([detail.status, detail.redirected], [302, requests[index + 1]?.text], text);
    });
    assert.equal(requests.at(-1)?.detail.failed, 'redirected too often');
    assert.ok(events.some(({ kind }) => kind === 'failure'));
  });

  test('a refused request is recorded with the option, policy or rule that refused it', async () => {
    const text = `<script src="http://www.googletagmanager.com/gtag.js"></script>
      <img src="http://169.254.1.1/a.png"><img src="https://169.254.1.1/b.png"><img src="http://127.0.0.1:9/c.png">
      <iframe src="ftp://127.0.0.1/d.html"></iframe>`;
    const requests = await requestsOf({ text, block_ads: true });
    const why = (address: string) => detailOf(requests, address).blocked ?? '';
    assert.equal(why('http://www.googletagmanager.com/gtag.js'), 'by block_ads');
    assert.equal(why('http://169.254.1.1/a.png'), 'by the network policy');
    assert.equal(why('https://169.254.1.1/b.png'), 'by the network policy');
    assert.match(why('http://127.0.0.1:9/c.png'), /browsers refuse to connect to this port/);
    assert.ok(
      !requests.some(({ detail }) => detail.method === undefined),
      'a refused request is recorded without its method',
    );
  });

  test('a response blocked by CORS is recorded as blocked', async () => {
    await using web = await serveWeb({ '/data': '{}' });
    const requests = await requestsOf({ text: `<script>fetch('${web.url}/data').catch(() => {})</script>` });
    assert.match(detailOf(requests, `${web.url}/data`).blocked ?? '', /CORS/);
  });

  test('a closed port and an unknown host name are recorded in the same way', async () => {
    const closed = await serveWeb({});
    await closed[Symbol.asyncDispose]();
    const addresses = [`${closed.url}/a.png`, 'http://no-such-name.invalid/a.png'];
    const requests = await requestsOf({ text: addresses.map((url) => `<img src="${url}">`).join('') });
    const outcomes = addresses.map((address) => {
      const { failed, blocked, status } = detailOf(requests, address);
      return { failed, blocked, status };
    });
    assert.deepEqual(outcomes[0], { failed: 'could not be loaded', blocked: undefined, status: undefined });
    assert.deepEqual(outcomes[1], outcomes[0]);
  });

  test('cookies, passwords and values of custom headers are not recorded', async () => {
    await using web = await serveWeb({
      '/': (request, response) => {
        const authorized = request.headers.authorization !== undefined;
        response.writeHead(authorized ? 200 : 401, {
          'content-type': 'text/html',
          'set-cookie': 'server=marker-set',
          'x-api-key': 'marker-key',
          ...(!authorized && { 'www-authenticate': 'Basic realm="x"' }),
        });
        response.end('<img src="/a.png?token=marker-token">');
      },
    });
    const events = await eventsOf({
      url: `${web.url}/`,
      http_auth_user_name: 'me',
      http_auth_password: 'marker-pass',
      cookies: 'own=marker-own',
      custom_http_header: 'X-Mine: marker-mine',
    });
    assert.match(web.headersOf('/a.png')?.['x-mine'] as string, /marker-mine/);
    const text = JSON.stringify(events);
    assert.doesNotMatch(text, /marker-/);
    assert.ok(!text.includes(Buffer.from('me:marker-pass').toString('base64')));
    assert.match(text, /"name":"X-Mine","value":"\*\*\*"/i);
    assert.match(text, /"name":"cookie","value":"\*\*\*"/i);
  });

  test('console messages are recorded as in DevTools, with level, file, line and column', async () => {
    const text = `<!doctype html>
<script>console.log('sum of %d: %s', 3, 'six', { a: 1, list: [1, 2] });
  console.warn('careful'); console.error(new Error('wrong'));</script>`;
    const messages = await saidIn({ text });
    assert.deepEqual(
      messages.map(({ text: words, detail }) => [
        words.split('\n')[0],
        detail.level,
        detail.source,
        detail.line,
        detail.column,
      ]),
      [
        ['sum of 3: six {a: 1, list: Array(2)}', 'info', 'index.html', 2, 17],
        ['careful', 'warning', 'index.html', 3, 11],
        ['Error: wrong', 'error', 'index.html', 3, 36],
      ],
    );
  });

  test('uncaught exceptions, rejections and syntax errors are recorded with their location', async () => {
    const text = `<script>
      function total() { return missing + 1; }
      Promise.reject(new TypeError('no'));
      total();</script><script>let = ;</script>`;
    const exceptions = (await saidIn({ text })).filter(({ detail }) => detail.level === 'exception');
    const find = (part: string) => exceptions.find((event) => event.text.includes(part)) ?? assert.fail(part);
    const thrown = find('Uncaught ReferenceError: missing is not defined');
    assert.deepEqual([thrown.detail.source, thrown.detail.line, thrown.detail.column], ['index.html', 2, 26]);
    assert.deepEqual(thrown.detail.stack, ['total (index.html:2:26)', 'index.html:4:7']);
    assert.equal(find('Uncaught (in promise) TypeError: no').detail.line, 3);
    assert.equal(find('SyntaxError').detail.line, 4);
  });

  test('messages of custom_javascript are recorded with the name of the option, and errors that Chromium reports are recorded too', async () => {
    const messages = await saidIn({
      text: `<meta http-equiv="Content-Security-Policy" content="img-src 'none'"><img src="a.png">`,
      custom_javascript: 'console.log("mine")',
    });
    assert.equal(messages.find(({ text }) => text === 'mine')?.detail.source, 'custom_javascript');
    assert.ok(
      messages.some(
        ({ text, detail }) => detail.level === 'error' && text.includes('Content Security Policy'),
      ),
    );
  });

  test('messages and requests of workers and frames are recorded', async () => {
    await using web = await serveWeb({
      '/page': `<iframe src="/frame"></iframe><script>
        new Promise((done) => { const worker = new Worker('/worker.js'); worker.onmessage = done })
          .then(() => document.body.append('done'))</script>`,
      '/frame': `<script>console.log('frame here'); fetch('/of-frame')</script>`,
      '/worker.js': (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(`console.log('worker here', {a: 1}); fetch('/of-worker').then(() => postMessage(1))`),
    });
    const events = await eventsOf({ url: `${web.url}/page`, javascript_delay: 500 });
    const texts = events.map(({ text }) => text);
    const times = (text: string) => texts.filter((candidate) => candidate === text).length;
    assert.deepEqual(['frame here', 'worker here {a: 1}'].map(times), [1, 1]);
    for (const path of ['/frame', '/of-frame', '/worker.js', '/of-worker'])
      assert.equal(times(web.url + path), 1, path);
  });

  test('requests and messages of a header are recorded like those of the page', async () => {
    const events = await eventsOf({
      text: 'Body',
      header_html: `<img src="logo.png"><script>console.log('header here')</script>`,
    });
    const missing = events.filter((event) => event.kind === 'request' && event.text === 'logo.png');
    assert.ok(missing.length >= 1);
    assert.ok(events.some((event) => event.kind === 'console' && event.text === 'header here'));
  });

  test('a request that never ends is recorded as pending', async () => {
    await using web = await serveWeb({ '/hang.png': () => undefined });
    const requests = await requestsOf({ text: `<img src="${web.url}/hang.png">`, max_loading_time: 1 });
    assert.match(detailOf(requests, `${web.url}/hang.png`).failed ?? '', /still pending|was cancelled/);
  });

  test('successive jobs in a window have separate debug logs, and a debugger statement does not stop them', async () => {
    const before = {
      text: `<script>console.log('of the earlier'); debugger;</script><img src="earlier.png">`,
    };
    assert.equal((await saidIn(before)).length, 1);
    await send(service, before);
    const text = JSON.stringify(
      await eventsOf({ text: `<script>debugger; console.log('of the next')</script>` }),
    );
    assert.doesNotMatch(text, /earlier/);
    assert.match(text, /of the next/);
  });

  test('page diagnostics are included in every debug log, even if two clients constantly request debug logs', async () => {
    const logsOfClient = async () => {
      const logs: string[] = [];
      for (let n = 0; n < 8; n += 1) {
        const { headers } = await send(service, { text: '<p>letter', debug_log: true });
        const link = headers.get('x-service-debug-log') ?? '';
        logs.push(await (await fetch(link, { headers: { accept: 'application/json' } })).text());
      }
      return logs;
    };
    for (const log of (await Promise.all([logsOfClient(), logsOfClient()])).flat()) {
      assert.match(log, /"examine the page"/);
      assert.doesNotMatch(log, /not-examined/);
    }
  });

  test('console messages are recorded with any value of load_iframes, in this job and the next', async () => {
    for (const load_iframes of ['none', 'all', 'none'])
      assert.equal((await saidIn({ text: `<script>console.log('x')</script>`, load_iframes })).length, 1);
  });
});
