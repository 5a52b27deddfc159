import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert, demo, htmlFile, refusal, send } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

/** Returns a port on which nothing listens, and which browsers do not block. */
async function closedPort(): Promise<number> {
  await using web = await serveWeb({});
  return web.port;
}

/** Returns the bytes of a string in Latin-1. */
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

const tinyPdf =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj trailer<</Root 1 0 R>>\n%%EOF';

describe('Input', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  test('an HTML file with any name is converted, also in a part named stream', async () => {
    for (const name of ['page.html', 'C:\\users\\me\\page.bin', 'stream']) {
      assert.match(pdfText(await convert(service, { file: htmlFile('<p>uploaded</p>', name) })), /uploaded/);
    }
    assert.match(
      pdfText(await convert(service, { stream: htmlFile('<p>streamed</p>', 'stream') })),
      /streamed/,
    );
  });

  test('assets with relative and absolute URLs are loaded, for url, text and file', async () => {
    await using web = await serveWeb({
      '/dir/page': '<base href="/other/"><link rel="stylesheet" href="style.css"><p>page</p><i>gone</i>',
      '/other/style.css': (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/css' }).end('i{display:none}'),
    });
    assert.equal(pdfText(await convert(service, { url: `${web.url}/dir/page` })).trim(), 'page');
    const text = `<base href="${web.url}/other/"><link rel="stylesheet" href="style.css"><p>text</p><i>gone</i>`;
    assert.equal(pdfText(await convert(service, { text })).trim(), 'text');
    const upload = `<link rel="stylesheet" href="${web.url}/other/style.css"><p>file</p><i>gone</i>`;
    assert.equal(pdfText(await convert(service, { file: htmlFile(upload) })).trim(), 'file');
  });

  test('text may contain any character, and a charset declaration in it has no effect', async () => {
    const text = '<meta charset="iso-8859-1"><p>Grüße 日本 €</p>';
    assert.match(pdfText(await convert(service, { text })), /Grüße 日本 €/);
  });

  const declared: readonly (readonly [what: string, bytes: Uint8Array<ArrayBuffer>, expected: RegExp])[] = [
    ['UTF-8 without a declaration', new Uint8Array(Buffer.from('<p>Grüße – 日本</p>')), /Grüße – 日本/],
    ['UTF-8 with a byte order mark', new Uint8Array(Buffer.from('\ufeff<p>Grüße 日本</p>')), /Grüße 日本/],
    [
      'UTF-16 with a byte order mark',
      new Uint8Array(Buffer.from('\ufeff<p>Grüße 日本</p>', 'utf16le')),
      /Grüße 日本/,
    ],
    ['declared iso-8859-1', latin1('<meta charset="iso-8859-1"><p>Gr\xfc\xdfe</p>'), /Grüße/],
    [
      'declared windows-1252',
      latin1(
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>\x84Gr\xfc\xdfe\x93 \x80</p>',
      ),
      /„Grüße“ €/,
    ],
    ['declared shift_jis', latin1('<meta charset="shift_jis"><p>\x93\xfa\x96\x7b</p>'), /日本/],
    [
      'Western European without a declaration',
      latin1(
        '<html><body><p>Stra\xdfe, M\xfcller, f\xfcr, gr\xfc\xdfen, sch\xf6n, \xdcbung</p></body></html>',
      ),
      /Straße, Müller, für/,
    ],
    [
      'Japanese without a declaration',
      latin1(
        '<p>\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x65\x83\x4c\x83\x58\x83\x67\x82\xc5\x82\xb7\x81\x42\x82\xb1\x82\xea\x82\xcd\x95\xb6\x8e\x9a\x82\xc5\x82\xb7\x81\x42</p>',
      ),
      /日本語のテキスト/,
    ],
  ];
  for (const [what, bytes, expected] of declared) {
    test(`a file in ${what} is decoded correctly`, async () => {
      assert.match(pdfText(await convert(service, { file: htmlFile(bytes) })), expected);
    });
  }

  test('SVG, plain text and XHTML are rendered as in a browser', async () => {
    const svg =
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="300" height="60"><text y="40">drawn</text></svg>';
    assert.match(pdfText(await convert(service, { file: htmlFile(svg, 'a.svg') })), /drawn/);
    const plain = 'Dear Sir,\n\n  1 < 2 & 3 > 2\n';
    assert.match(
      pdfText(await convert(service, { file: htmlFile(plain, 'a.txt') })),
      /Dear Sir, 1 < 2 & 3 > 2/,
    );
    const xhtml =
      '<?xml version="1.0" encoding="iso-8859-1"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>Gr\xfc\xdfe</p></body></html>';
    assert.match(pdfText(await convert(service, { file: htmlFile(latin1(xhtml), 'a.xhtml') })), /Grüße/);
    assert.ok((await convert(service, { file: htmlFile(svg, 'a.svg'), output_format: 'png' })).length > 0);
  });

  test('file takes precedence over url, and url over text, and the debug log names the ignored inputs', async () => {
    const answer = await send(service, {
      text: '<p>text',
      url: 'http://127.0.0.1:9/',
      file: htmlFile('<p>file'),
      debug_log: true,
    });
    assert.match(pdfText(answer.body), /file/);
    const log = await (await fetch(answer.headers.get('x-service-debug-log') ?? '')).text();
    assert.match(log, /url was ignored, because file was given too/);
    assert.match(log, /text was ignored, because file was given too/);
  });

  test('a file that is empty or not HTML fails with 400.305, and the message contains its type', async () => {
    assert.match(await refusal(service, { file: htmlFile('') }), /^400\.305 - The file 'page.html' is empty/);
    assert.match(await refusal(service, { file: htmlFile('  \n ') }), /^400\.305 - .*empty/);
    assert.match(
      await refusal(service, { file: htmlFile(latin1('%PDF-1.4 \x00\x01')) }),
      /^400\.305 - .*a PDF document/,
    );
    assert.match(
      await refusal(service, { file: htmlFile(latin1('\x89PNG\r\n\x1a\n\x00\x00')) }),
      /^400\.305 - .*a PNG image/,
    );
    assert.match(await refusal(service, { text: ' \n ' }), /^400\.305 - .*empty/);
  });

  test('a request without an input, or with an empty one, fails with 400.301', async () => {
    assert.match(await refusal(service, { page_size: 'A5' }), /^400\.301 - /);
    assert.match(await refusal(service, { text: '', url: '' }), /^400\.301 - /);
  });

  test('a url that is invalid or has another scheme than http and https fails with 400.320', async () => {
    for (const url of [
      'example',
      'file:///etc/passwd',
      'FILE:///etc/passwd',
      ' javascript:alert(1)',
      'chrome://version',
      'http://',
      '//x/y',
      'view-source:http://x',
      'platen://job/x',
    ]) {
      assert.match(await refusal(service, { url }), /^400\.320 - /, url);
    }
  });

  test('a page that cannot be loaded fails with 400.321, and the message contains no network error code', async () => {
    await using web = await serveWeb({
      '/cut': (_request, response) => response.socket?.destroy(),
      '/zip': (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/zip' }).end('PK'),
    });
    const closed = await closedPort();
    for (const url of [
      `http://127.0.0.1:${closed}/`,
      'http://name.invalid/',
      `https://127.0.0.1:${closed}/`,
      `${web.url}/cut`,
      `${web.url}/zip`,
    ]) {
      const answer = await refusal(service, { url });
      assert.match(answer, /^400\.321 - /, url);
      assert.doesNotMatch(answer, /ERR_|ECONN|net::/, url);
    }
  });

  test('the message for a page that cannot be loaded names the cause and the cure where a server answered', async () => {
    await using web = await serveWeb({
      '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
      '/zip': (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/zip' }).end('PK'),
      '/saved': (_request, response) =>
        response
          .writeHead(200, {
            'content-type': 'text/html',
            'content-disposition': 'attachment; filename=a.html',
          })
          .end('<p>x'),
      '/pdf': (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/pdf' }).end(tinyPdf),
      '/nothing': (_request, response) => response.writeHead(204).end(),
      '/cut': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': '500' }).write('<p>x');
        setTimeout(() => response.destroy(), 100);
      },
      '/not-compressed': (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('<p>x'),
      '/secret': (_request, response) =>
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('<p>no'),
    });
    for (const [path, message] of [
      ['/loop', /redirects more than 20 times, probably in a circle/],
      ['/zip', /sent a file to download \(application\/zip\) instead of a page/],
      ['/saved', /sent a file to download \(Content-Disposition: attachment, text\/html\)/],
      ['/pdf', /sent a file to download \(application\/pdf\) instead of a page/],
      ['/nothing', /answered with status 204 and without content/],
      ['/cut', /broke off the response/],
      ['/not-compressed', /broke off the response, or encoded it in another way/],
    ] as const)
      assert.match(await refusal(service, { url: web.url + path }), message, path);
    for (const [path, message] of [
      ['/loop', /header_url could not be loaded: its server redirects more than 20 times/],
      ['/cut', /header_url could not be loaded: its server broke off the response/],
    ] as const)
      assert.match(await refusal(service, { text: 'x', header_url: web.url + path }), message, path);
    assert.match(
      await refusal(service, { url: web.url.replace('http:', 'https:') }),
      /its TLS connection failed.*begins with http:/,
    );
    const failing = { url: `${web.url}/secret`, fail_on_main_url_error: true };
    assert.match(
      await refusal(service, failing),
      /status 401\. It asks for credentials: send http_auth_user_name/,
    );
    const wrong = { ...failing, http_auth_user_name: 'a', http_auth_password: 'b' };
    assert.match(
      await refusal(service, wrong),
      /status 401\. It does not accept the values of http_auth_user_name/,
    );
  });

  test('a url with a port that browsers block fails with 400.322, for any host', async () => {
    await using web = await serveWeb({
      '/away': (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:22/' }).end(),
    });
    for (const url of [
      'http://127.0.0.1:22/',
      'https://169.254.169.254:22/',
      'http://name.invalid:6000/',
      `${web.url}/away`,
    ]) {
      const answer = await refusal(service, { url });
      assert.match(answer, /^400\.322 - /, url);
      assert.doesNotMatch(answer, /ERR_|net::/, url);
    }
    const header = { text: 'x', header_url: 'http://127.0.0.1:22/' };
    assert.match(await refusal(service, header), /^400\.322 - .*header_url/);
  });

  test('a page with an HTTP error status is converted like any page', async () => {
    await using web = await serveWeb({
      '/gone': (_request, response) =>
        response.writeHead(410, { 'content-type': 'text/html' }).end('<p>gone</p>'),
    });
    assert.match(pdfText(await convert(service, { url: `${web.url}/gone` })), /gone/);
  });

  test('a urlencoded form can contain plus signs and non-ASCII characters', async () => {
    const body = new URLSearchParams({ text: '<p>1 + 1 = zwölf & €</p>', page_size: 'a5' });
    const response = await fetch(`${service.url}/convert/24.04/`, {
      method: 'POST',
      body,
      headers: { authorization: demo },
    });
    assert.equal(response.status, 200);
    assert.match(pdfText(Buffer.from(await response.arrayBuffer())), /1 \+ 1 = zwölf & €/);
  });

  for (const form of ['multipart', 'urlencoded'] as const) {
    test(`100 MB of text in a ${form} form are converted without blocking other requests`, async () => {
      const text = `<p>start</p><!--${'x'.repeat(100_000_000)}--><p>end</p>`;
      let responses = 0;
      const done = new AbortController();
      const watch = (async () => {
        while (!done.signal.aborted) {
          responses += (await fetch(`${service.url}/health`)).ok ? 1 : 0;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      })();
      const body = form === 'multipart' ? new FormData() : new URLSearchParams();
      body.set('text', text);
      const response = await fetch(`${service.url}/convert/24.04/`, {
        method: 'POST',
        body,
        headers: { authorization: demo },
      });
      const pdf = Buffer.from(await response.arrayBuffer());
      done.abort();
      await watch;
      assert.equal(response.status, 200, pdf.toString('utf8', 0, 300));
      assert.match(pdfText(pdf), /start\s+end/);
      assert.ok(responses > 10, `only ${responses} responses of /health in the meantime`);
    });
  }
});
