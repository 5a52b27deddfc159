import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { convert, htmlFile, refusal, send } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb, type Routes } from '../../support/servers/web-server.ts';

/** Returns a page whose script shows the value of the expression. */
const show = (expression: string) =>
  `<!doctype html><p id="p">no script</p><script>p.textContent = String(${expression})</script>`;

const js =
  (text: string): Routes[string] =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(text);

describe('Loading a page:', () => {
  let service: Service;
  before(
    async () =>
      (service = await startService({
        flags: ['--network-allow', '127.0.0.1,localhost', '--job-timeout', '8', '--workers', '1'],
      })),
  );
  after(() => service[Symbol.asyncDispose]());
  const textOf = async (fields: Parameters<typeof convert>[1]) => pdfText(await convert(service, fields));

  test('cookies are sent to the site of url and visible to its page, but not sent to other sites or in a later job', async () => {
    await using foreign = await serveWeb({ '/o.js': js('') });
    const page = show('document.cookie') + `<script src="http://localhost:${foreign.port}/o.js"></script>`;
    await using web = await serveWeb({ '/': page });
    const cookies = 'session=abc; language=en';
    assert.equal(await textOf({ url: `${web.url}/`, cookies }), 'session=abc; language=en');
    assert.equal(web.headersOf('/')?.cookie, 'session=abc; language=en');
    assert.equal(foreign.headersOf('/o.js')?.cookie, undefined);
    await textOf({ url: `${web.url}/` });
    assert.equal(web.headersOf('/')?.cookie, undefined);
  });

  test('for an uploaded document, cookies and custom_http_header are sent with the requests for all its resources', async () => {
    await using web = await serveWeb({
      '/a.js': (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/javascript', 'set-cookie': 'own=1; SameSite=Lax' })
          .end(''),
      '/frame': '<script src="/b.js"></script>',
      '/b.js': js(''),
    });
    const text = `<script src="${web.url}/a.js"></script><iframe src="${web.url}/frame"></iframe>`;
    await convert(service, { text, cookies: 'session=abc', custom_http_header: 'X-Department: Sales' });
    for (const path of ['/a.js', '/frame', '/b.js']) {
      assert.match(web.headersOf(path)?.cookie ?? '', /session=abc/, path);
      assert.equal(web.headersOf(path)?.['x-department'], 'Sales', path);
    }
    await convert(service, { text });
    assert.equal(web.headersOf('/b.js')?.['x-department'], undefined);
    assert.doesNotMatch(web.headersOf('/b.js')?.cookie ?? '', /session/);
  });

  test('custom_http_header is sent to the site of url, but not to another site after a redirect', async () => {
    await using foreign = await serveWeb({ '/': '<p>other</p>' });
    await using web = await serveWeb({
      '/': (_request, response) =>
        response.writeHead(302, { location: `http://localhost:${foreign.port}/` }).end(),
    });
    const custom_http_header = 'Authorization: Bearer 123';
    assert.equal(await textOf({ url: `${web.url}/`, custom_http_header }), 'other');
    assert.equal(web.headersOf('/')?.authorization, 'Bearer 123');
    assert.equal(foreign.headersOf('/')?.authorization, undefined);
  });

  test('HTTP authentication uses the password in the request, and sends a wrong password only once', async () => {
    const correctCredentials = `Basic ${btoa('me:secret')}`;
    await using web = await serveWeb({
      '/': (request, response) => {
        if (request.headers.authorization === correctCredentials)
          response.writeHead(200, { 'content-type': 'text/html' }).end('<p>inside</p>');
        else
          response
            .writeHead(401, { 'www-authenticate': 'Basic realm="here"', 'content-type': 'text/html' })
            .end('<p>outside</p>');
      },
    });
    const url = `${web.url}/`;
    assert.equal(await textOf({ url, http_auth_user_name: 'me', http_auth_password: 'secret' }), 'inside');
    assert.equal(await textOf({ url }), 'outside');
    const requestsBefore = web.requestedPaths.length;
    assert.equal(await textOf({ url, http_auth_user_name: 'me', http_auth_password: 'wrong' }), 'outside');
    assert.equal(web.requestedPaths.length, requestsBefore + 2);
  });

  test('the user agent is that of Chrome, or converter_user_agent', async () => {
    await using web = await serveWeb({ '/': show('navigator.userAgent') });
    const url = `${web.url}/`;
    const agentOf = async (fields: object) => {
      const seen = await textOf({ url, ...fields });
      const sent = web.headersOf('/')?.['user-agent'];
      assert.equal(seen.replace(/\s/g, ''), sent?.replace(/\s/g, ''));
      return sent ?? '';
    };
    assert.match(
      await agentOf({}),
      /^Mozilla\/5\.0 \([^)]+\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/\d+\.0\.0\.0 Safari\/537\.36$/,
    );
    assert.match(
      await agentOf({ converter_user_agent: 'chrome-mobile' }),
      /Android .* Chrome\/\d+\.0\.0\.0 Mobile Safari/,
    );
    assert.equal(await agentOf({ converter_user_agent: 'Our archive 1.0' }), 'Our archive 1.0');
    assert.match(await agentOf({}), / Chrome\/\d+\.0\.0\.0 Safari\/537\.36$/);
  });

  test('locale sets Accept-Language and the locale of scripts', async () => {
    const expression = `[navigator.language, navigator.languages, (1234.5).toLocaleString(), new Date(0).toLocaleDateString(undefined, { month: 'long', timeZone: 'UTC' })].join(' ')`;
    await using web = await serveWeb({ '/': show(expression) });
    const url = `${web.url}/`;
    assert.equal(await textOf({ url, locale: 'de-DE' }), 'de-DE de-DE,de 1.234,5 Januar');
    assert.equal(web.headersOf('/')?.['accept-language'], 'de-DE,de;q=0.9');
    assert.equal(await textOf({ url }), 'en-US en-US,en 1,234.5 January');
    assert.equal(web.headersOf('/')?.['accept-language'], 'en-US,en;q=0.9');
  });

  test('with disable_javascript, no script of the page runs, noscript is shown, and custom_javascript still runs', async () => {
    const text = '<p id="p">plain</p><script>p.textContent = "scripted"</script><noscript>none</noscript>';
    assert.equal(await textOf({ text, disable_javascript: true }), 'plain none');
    const custom_javascript = 'p.textContent = "custom " + window.name + sessionStorage.length';
    const plant = '<script>window.name = "planted"; sessionStorage.mark = 1</script>';
    await convert(service, { text: plant });
    assert.equal(await textOf({ text, disable_javascript: true, custom_javascript }), 'custom 0 none');
    assert.equal(await textOf({ text }), 'scripted');
  });

  test('with disable_javascript, no script runs even in a page with many frames', async () => {
    const frames = Array.from({ length: 100 }, (_, number) => {
      const frame =
        number % 2 ? '<iframe></iframe>' : '<iframe srcdoc="<script>top.p.append(0)</script>"></iframe>';
      return `${frame}${'<b></b>'.repeat(30)}<script>p.append(${number})</script>`;
    });
    const text = `<p id="p">plain</p>${frames.join('')}`;
    assert.equal(await textOf({ text, disable_javascript: true }), 'plain');
    await using web = await serveWeb({ '/': text });
    assert.equal(await textOf({ url: web.url, disable_javascript: true }), 'plain');
  });

  test('default_encoding is the character encoding of a page that declares none, whether uploaded or loaded by url', async () => {
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
    const czech = '<p>\xe8e\xb9tina</p>';
    const declared = '<meta charset="windows-1252"><p>\xe8</p>';
    const html =
      (body: string, type = 'text/html'): Routes[string] =>
      (_request, response) =>
        response.writeHead(200, { 'content-type': type }).end(Buffer.from(body, 'latin1'));
    await using web = await serveWeb({
      '/plain': html(czech),
      '/declared': html(declared),
      '/header': html('<p>\xe8</p>', 'text/html; charset=windows-1252'),
      '/imaged': html('<p>\xe8 <img src="/none.png" alt="instead">'),
      '/mark': html('\xef\xbb\xbf<p>\xc4\x8d</p>'),
      '/long': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).write(czech);
        const filling = Buffer.alloc(1_000_000, '<b></b>');
        const pour = () => {
          while (!response.destroyed && response.write(filling)) continue;
        };
        response.on('drain', pour);
        pour();
      },
      '/packed': (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
          .end(gzipSync('<p>packed')),
    });
    const default_encoding = 'iso-8859-2';
    assert.equal(await textOf({ file: htmlFile(bytes(czech)), default_encoding }), 'čeština');
    assert.equal(await textOf({ file: htmlFile(bytes(declared)), default_encoding }), 'è');
    assert.equal(await textOf({ url: `${web.url}/plain`, default_encoding }), 'čeština');
    assert.equal(await textOf({ url: `${web.url}/declared`, default_encoding }), 'è');
    assert.equal(await textOf({ url: `${web.url}/header`, default_encoding }), 'è');
    assert.equal(await textOf({ url: `${web.url}/mark`, default_encoding }), 'č');
    // A compressed response of unknown length may unpack to gigabytes, so it is not read.
    assert.equal(await textOf({ url: `${web.url}/packed`, default_encoding }), 'packed');
    // Without the limit, the service would hold 500 MB (page-size) of it.
    assert.match(await refusal(service, { url: `${web.url}/long`, default_encoding }), /^400\.321 /);
    const image = { url: `${web.url}/imaged`, default_encoding };
    assert.equal(
      await textOf({ ...image, disable_image_loading: true, fail_on_any_url_error: true }),
      'č instead',
    );
    assert.notEqual(await textOf({ url: `${web.url}/plain` }), 'čeština');
  });

  test('after max_loading_time, a document that never ends is converted as far as it has loaded', async () => {
    await using web = await serveWeb({
      '/': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).write('<p>begun</p>');
        const dripping = setInterval(() => response.write('<p>more</p>'), 100);
        response.once('close', () => {
          clearInterval(dripping);
        });
      },
    });
    assert.match(await textOf({ url: `${web.url}/`, max_loading_time: 1 }), /^begun( more)*$/);
  });

  test('a document that begins only after max_loading_time, and never ends, is converted as far as it has loaded', async () => {
    await using web = await serveWeb({
      '/': (_request, response) => {
        const begin = setTimeout(() => {
          response.writeHead(200, { 'content-type': 'text/html' }).write('<!doctype html>');
        }, 2250);
        const write = setTimeout(() => response.write('<p>begun</p>'), 2500);
        response.once('close', () => {
          clearTimeout(begin);
          clearTimeout(write);
        });
      },
    });
    assert.equal(await textOf({ url: `${web.url}/`, max_loading_time: 1 }), 'begun');
  });

  test('a page that reloads itself endlessly is converted', async () => {
    await using web = await serveWeb({ '/': '<p>there</p><script>location.reload()</script>' });
    const pages = Array.from({ length: 6 }, () => textOf({ url: `${web.url}/`, max_loading_time: 1 }));
    for (const text of await Promise.all(pages)) assert.equal(text, 'there');
  });

  test('after max_loading_time, a document whose script never arrives is converted as far as it has loaded', async () => {
    await using web = await serveWeb({ '/never.js': () => {} });
    const text = `<p>before</p><script src="${web.url}/never.js"></script>`;
    assert.equal(await textOf({ text, max_loading_time: 1 }), 'before');
  });

  const incomplete: Readonly<Record<string, readonly [html: string, text: RegExp]>> = {
    'a script in its head': ['<head><script src="/never"></script></head><p>content', /^content$/],
    'a style sheet before a script': [
      '<link rel="stylesheet" href="/never"><script>document.title = "there"</script><p>content',
      /^content$/,
    ],
    'a script whose error handler replaces it': [
      `<p>before</p><script src="/never" onerror="document.write('instead')"></script><p>after</p>`,
      /^before\s+instead\s+after$/,
    ],
    'two scripts, one after the other': [
      `<p>before</p><script src="/never"></script><script>document.write('<script src="/never?2"></scr' + 'ipt>written')</script>`,
      /^before\s+written$/,
    ],
    'a synchronous request': [
      `<p>before</p><script>const request = new XMLHttpRequest(); request.open('GET', '/never', false);
        try { request.send() } catch {}</script><p>after</p>`,
      /^before\s+after$/,
    ],
  };
  for (const [what, [html, expected]] of Object.entries(incomplete))
    test(`after max_loading_time, a page that waits for ${what} is converted to its end`, async () => {
      await using web = await serveWeb({ '/': html, '/never': () => {}, '/never?2': () => {} });
      assert.match(await textOf({ url: `${web.url}/`, max_loading_time: 1 }), expected);
    });

  test('a script that has not arrived after max_loading_time is named as pending, also in the error', async () => {
    await using web = await serveWeb({
      '/': '<head><script src="/never"></script></head><p>content',
      '/never': () => {},
    });
    const fields = { url: `${web.url}/`, max_loading_time: 1, output_format: 'png' };
    const { findings } = await readDebugLog(await send(service, { ...fields, debug_log: true }));
    const late = findings.find(({ code }) => code === 'late-resources');
    assert.match(late?.sentence ?? '', /Pending at that time: http:\S+\/never\.$/);
    assert.match(
      await refusal(service, { ...fields, fail_on_any_url_error: true }),
      /^400\.321 - http:\/\/127\.0\.0\.1:\d+\/never was still pending\.$/,
    );
  });

  const starts = [
    ['', {}],
    ['<!doctype html>', { disable_javascript: true }],
    ['<head><title>later</title>', { output_format: 'png' }],
  ] as const;
  for (const [start, options] of starts)
    test(`a page without content is refused after max_loading_time: '${start}'`, async () => {
      await using web = await serveWeb({
        '/': (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders();
          response.write(start);
        },
      });
      assert.equal(
        await refusal(service, { url: `${web.url}/`, max_loading_time: 1, ...options }),
        '400.321 - The page of 127.0.0.1 had no content yet when max_loading_time was reached.',
      );
    });

  test('max_loading_time ends the wait for pending resources', async () => {
    await using web = await serveWeb({ '/': '<p>there</p><img src="/never.png">', '/never.png': () => {} });
    const answer = await send(service, { url: `${web.url}/`, max_loading_time: 1, debug_log: true });
    assert.equal(pdfText(answer.body), 'there');
    const { events } = await readDebugLog(answer);
    const load = events.find(({ kind, text }) => kind === 'stage' && text === 'load the page');
    assert.ok(load?.kind === 'stage');
    assert.match(load.detail.ended ?? '', /^max_loading_time was reached; still pending: .*\/never\.png$/);
    assert.match(
      await refusal(service, { url: `${web.url}/`, max_loading_time: 1, fail_on_any_url_error: true }),
      /^400\.321 - http:\/\/127\.0\.0\.1:\d+\/never\.png was still pending\.$/,
    );
  });

  test('a page with an error status fails with fail_on_main_url_error, and is converted without it', async () => {
    await using web = await serveWeb({
      '/gone': (_request, response) =>
        response.writeHead(410, { 'content-type': 'text/html' }).end('<p>no longer here</p>'),
      '/there': '<p>there</p><img src="/missing.png">',
    });
    assert.equal(await textOf({ url: `${web.url}/gone` }), 'no longer here');
    assert.match(
      await refusal(service, { url: `${web.url}/gone`, fail_on_main_url_error: true }),
      /^400\.321 - .*127\.0\.0\.1 .*status 410/,
    );
    assert.equal(await textOf({ url: `${web.url}/there`, fail_on_main_url_error: true }), 'there');
  });

  test('with fail_on_any_url_error, the error names the first resource that failed, without credentials', async () => {
    await using web = await serveWeb({
      '/fine.js': js(''),
      '/events': (_request, response) => {
        const headers = { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' };
        response.writeHead(200, headers).write('data: x\n\n');
      },
      '/page': '<p>fine</p><script src="/fine.js"></script>',
    });
    const fails = (html: string) => refusal(service, { text: html, fail_on_any_url_error: true });
    const secret = `${web.url.replace('//', '//me:secret@')}/missing`;
    assert.match(
      await refusal(service, { url: secret, fail_on_any_url_error: true }),
      new RegExp(`^400\\.321 - ${web.url}/missing .*\\b404\\b`),
    );
    assert.match(
      await fails('<img src="http://127.0.0.1:1/x.png">'),
      /^400\.321 - http:\/\/127\.0\.0\.1:1\/x\.png /,
    );
    assert.match(await fails('<img src="images/x.png">'), /^400\.321 - images\/x\.png .*\b404\b/);
    for (const scheme of ['http', 'https'])
      assert.match(
        await fails(`<img src="${scheme}://169.254.1.1/x.png">`),
        /^400\.322 - .*does not allow \S+169\.254\.1\.1\/x\.png/,
      );
    assert.equal(await textOf({ url: `${web.url}/page`, fail_on_any_url_error: true }), 'fine');
    const events = `<p>fine</p><script>new EventSource('${web.url}/events')</script>`;
    assert.equal(await textOf({ text: events, fail_on_any_url_error: true }), 'fine');
  });
});
