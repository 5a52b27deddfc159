/** Documents with one fault each, whose cause the debug log names. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { htmlFile, send, type Fields } from '../../support/service/convert.ts';
import { readDebugLog, type ReadLog } from '../../support/debug-log/debug-log.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { serveWeb, type WebServer } from '../../support/servers/web-server.ts';
import { zip } from '../../support/archives/zip-writer.ts';

describe('The debug log of a document with', () => {
  let service: Service;
  let web: WebServer;
  before(async () => {
    web = await serveWeb({
      '/late': '<h1>Late</h1><div id=x></div><script src="/late.js"></script>',
      '/late.js': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/javascript' });
        response.end("fetch('/data').then(r => r.text()).then(t => x.textContent = t)");
      },
      '/data': (_request, response) => {
        setTimeout(() => response.end('came too late'), 1500);
      },
      '/round': (_request, response) => response.writeHead(302, { location: '/and-round' }).end(),
      '/and-round': (_request, response) => response.writeHead(302, { location: '/round' }).end(),
      '/styled': '<link rel="stylesheet" href="/gone.css"><h1>Styled</h1>',
      '/gone.css': notFoundPage,
      '/gone.png': notFoundPage,
      '/slow': '<h1>Slow</h1><img src="/slow.png">',
      '/slow.png': (_request, response) => {
        setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end(pixel), 1200);
      },
    });
    service = await defaultService();
  });
  after(async () => {
    await web[Symbol.asyncDispose]();
  });

  const logOf = async (fields: Fields): Promise<ReadLog> =>
    readDebugLog(await send(service, { ...fields, debug_log: true }));

  /** Asserts that the debug log has one finding with this code, and that its JSON and its HTML page name the cause. */
  async function names(fields: Fields, code: string, cause: RegExp): Promise<ReadLog> {
    const log = await logOf(fields);
    const found = log.findings.filter((finding) => finding.code === code);
    assert.deepEqual(found.length, 1, `${code} among ${JSON.stringify(log.findings, undefined, 1)}`);
    assert.match(found[0]?.sentence ?? '', cause);
    assert.match(log.text, cause);
    return log;
  }

  test('a missing image in an archive names the file', async () => {
    const archive = zip([{ name: 'index.html', contents: '<h1>Invoice</h1><img src="img/logo.png">' }]);
    await names({ file: htmlFile(new Uint8Array(archive), 'a.zip') }, 'missing-resource', /img\/logo\.png/);
  });

  test('a missing image or style sheet on a server names its URL and status, even if the server sends a page instead', async () => {
    const text = `<h1>Invoice</h1><img src="${web.url}/gone.png">`;
    await names({ text }, 'missing-resource', /\/gone\.png.*404/);
    const url = `${web.url}/styled`;
    await names({ url }, 'missing-resource', /\/gone\.css.*404/);
    const refused = await send(service, { url, fail_on_any_url_error: true });
    assert.match(refused.body.toString(), /^400\.321 - .*gone\.css was answered with status 404/);
  });

  test('content that arrives too late names the pending requests, and the options that wait for them', async () => {
    const log = await names({ url: `${web.url}/late`, settle_limit: 300 }, 'late-resources', /\/data/);
    const options = log.findings.find(({ code }) => code === 'late-resources')?.options ?? [];
    assert.ok(options.includes('javascript_delay') && options.includes('wait_for_element'));
  });

  test('a missing font names the requested font and the font used instead', async () => {
    const text = '<p style="font-family: \'Frutiger Next\', sans-serif">Dear customer</p>';
    await names({ text }, 'font-substituted', /Frutiger Next.*(DejaVu|Liberation|Noto|Nimbus)/s);
  });

  test('a blocked URL names the URL and the network policy', async () => {
    const text = '<h1>x</h1><img src="http://169.254.169.254/logo.png">';
    await names(
      { text },
      'blocked-resource',
      /169\.254\.169\.254.*network policy|network policy.*169\.254\.169\.254/s,
    );
  });

  test('a table three pixels too wide names the element and the excess width', async () => {
    const text = '<body style="margin:0"><table id="items" style="width:calc(100vw + 3px)"><tr><td>x</table>';
    await names({ text }, 'content-overflows', /#items.* 3 px/s);
  });

  test('a script that throws names the error and its location', async () => {
    const html = '<h1>x</h1>\n<script>\n  const total = undefined;\n  total.toFixed(2);\n</script>';
    await names({ file: htmlFile(html, 'invoice.html') }, 'script-error', /toFixed.*:4/s);
  });

  test('a redirect loop names the URLs of the loop', async () => {
    const log = await names({ url: `${web.url}/round` }, 'redirect-loop', /\/round.*\/and-round/s);
    assert.match(log.text, /400\.321|321/);
  });

  test('a slow resource names its URL and duration', async () => {
    await names(
      { url: `${web.url}/slow` },
      'slow-resource',
      /\/slow\.png.*1[.,][2-9]|\/slow\.png.*1[2-9]\d\d/s,
    );
  });

  test('a wrong character encoding names the encoding that was used', async () => {
    const html = Buffer.from('<meta charset=utf-8><p>Gr\xfc\xdfe aus M\xfcnchen', 'latin1');
    await names({ file: htmlFile(new Uint8Array(html)) }, 'wrong-encoding', /UTF-8/i);
    const misdeclared = Buffer.from('<meta charset=windows-1252><p>Grüße aus München');
    await names({ file: htmlFile(new Uint8Array(misdeclared)) }, 'wrong-encoding', /windows-1252/i);
  });

  test('an oversized image names the file, its size in pixels and its size on the page', async () => {
    const huge = await sharp({ create: { width: 6000, height: 4500, channels: 3, background: '#28a' } })
      .jpeg()
      .toBuffer();
    const archive = zip([
      { name: 'index.html', contents: '<h1>Catalogue</h1><img src="photo.jpg" width=200 height=150>' },
      { name: 'photo.jpg', contents: huge },
    ]);
    const fields = { file: htmlFile(new Uint8Array(archive), 'a.zip') };
    await names(fields, 'image-oversized', /photo\.jpg.*6,?000.*200/s);
  });

  test('no faults has no findings', async () => {
    const text = `<style>body { font-family: sans-serif } td { padding: 4px }</style><h1>Invoice 17</h1>
      <table><tr><td>Paper<td>12.00</table><script>document.title = 'Invoice 17'</script>`;
    const { findings } = await logOf({ text, footer_html: 'Page <span class="service-page-number"></span>' });
    assert.deepEqual(findings, []);
  });
});

/** Responds to a missing file with an HTML page, as most servers do. */
function notFoundPage(_request: unknown, response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
