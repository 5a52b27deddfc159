/** Pdfcrowd's official client, unchanged, against this service. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openReverseProxy } from '../support/reverse-proxy.ts';
import { runOfficialClient, type Call, type Plan } from '../support/official-client.ts';
import { pdfFacts, pdfText } from '../support/pdf.ts';
import { readPicture } from '../support/picture.ts';
import { startService, temporaryFolder, type Service } from '../support/service.ts';
import { serveWeb } from '../support/web-server.ts';
import { zip } from '../support/zip-writer.ts';

describe('The official Pdfcrowd client', () => {
  let service: Service;
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  before(async () => {
    const flags = [
      '--alias',
      'pdfcrowd',
      '--network-allow',
      '127.0.0.1',
      '--accounts',
      'ann:secret:9,rich:key',
    ];
    service = await startService({ flags });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (calls: readonly Call[], plan: Partial<Plan> = {}) =>
    runOfficialClient({ port: Number(new URL(service.url).port), calls, ...plan });

  /** Returns the result of the last conversion, which must not be an error. */
  async function converted(calls: readonly Call[], plan: Partial<Plan> = {}) {
    const result = (await run(calls, plan)).at(-1);
    assert.equal(result?.error, undefined);
    assert.ok(result);
    return result;
  }

  test('converts a string, and reads all facts of the response', async () => {
    const text = '<p>one</p><p style="break-before:page">Größe €</p>';
    const calls: Call[] = [
      ['setPageSize', 'a5'],
      ['setOrientation', 'LANDSCAPE'],
      ['setDebugLog', true],
      ['convertString', text],
    ];
    const result = await converted(calls, { user: 'ann', key: 'secret' });
    assert.equal(pdfText(result.output), 'one Größe €');
    const { width, height } = pdfFacts(result.output);
    assert.deepEqual([Math.round(width), Math.round(height)], [595, 420]);
    assert.match(result.job, /^[0-9a-z]{26}$/);
    assert.deepEqual(
      [result.consumed, result.remaining, result.pages, result.totalPages, result.size],
      [1, 8, 2, 2, result.output.length],
    );
    assert.match(await (await fetch(result.debugLog)).text(), new RegExp(result.job));
  });

  test('prints headers and footers with its documented classes, on the requested pages', async () => {
    const next = '<p style="break-before:page">';
    const result = await converted([
      [
        'setHeaderHtml',
        'Page <span class="pdfcrowd-page-number"></span> of <span class="pdfcrowd-page-count"></span>',
      ],
      ['setFooterHtml', '<i class="pdfcrowd-source-title"></i>'],
      ['setFooterHeight', '15mm'],
      ['setPrintPageRange', '2-'],
      ['convertString', `<title>Report</title><p>one${next}two${next}three`],
    ]);
    assert.deepEqual([result.pages, result.totalPages], [2, 3]);
    assert.deepEqual(
      [1, 2].map((page) => pdfText(result.output, page)),
      ['Page 1 of 2 two Report', 'Page 2 of 2 three Report'],
    );
  });

  test('reads an account without limit as one with unknown credits', async () => {
    assert.equal(
      (await converted([['convertString', 'x']], { user: 'rich', key: 'key' })).remaining,
      999_999,
    );
  });

  test('converts a page by its URL', async () => {
    await using web = await serveWeb({ '/page': '<p>from the web' });
    assert.equal(pdfText((await converted([['convertUrl', `${web.url}/page`]])).output), 'from the web');
  });

  test('converts a file, although the client sends its whole path', async () => {
    writeFileSync(path('page.html'), '<meta charset="utf-8"><p>from a file – with “quotes”');
    const { output } = await converted([['convertFile', path('page.html')]]);
    assert.equal(pdfText(output), 'from a file – with “quotes”');
  });

  test('converts an archive with its assets, and its page by name', async () => {
    const red = '<link rel="stylesheet" href="css/red.css">';
    const archive = zip([
      { name: 'index.html', contents: `${red}<p>first` },
      { name: 'other.html', contents: `${red}<p>other` },
      { name: 'css/red.css', contents: 'p::after { content: " styled" }' },
    ]);
    writeFileSync(path('site.zip'), archive);
    const [first, other] = await run([
      ['convertFile', path('site.zip')],
      ['setZipMainFilename', 'other.html'],
      ['convertFile', path('site.zip')],
    ]);
    assert.equal(pdfText(first?.output ?? Buffer.of()), 'first styled');
    assert.equal(pdfText(other?.output ?? Buffer.of()), 'other styled');
  });

  test('converts a stream in the encoding that the client sends', async () => {
    writeFileSync(path('stream.html'), '<p>from a stream');
    assert.equal(
      pdfText((await converted([['convertStream', path('stream.html')]])).output),
      'from a stream',
    );
    // The client sends the decoded stream as Latin-1, so other letters and archives arrive intact only in that encoding.
    writeFileSync(path('euro.html'), '<meta charset="utf-8"><p>10 €');
    assert.equal(pdfText((await converted([['convertStream', path('euro.html'), 'latin1']])).output), '10 €');
    writeFileSync(path('streamed.zip'), zip([{ name: 'index.html', contents: '<p>from an archive' }]));
    const { output } = await converted([['convertStream', path('streamed.zip'), 'latin1']]);
    assert.equal(pdfText(output), 'from an archive');
  });

  test('creates images', async () => {
    const calls: Call[] = [
      ['setOutputFormat', 'JPG'],
      ['setScreenshotWidth', 300],
      ['convertString', '<body style="background:#c00">'],
    ];
    const { output, size } = await converted(calls, { client: 'HtmlToImageClient' });
    const picture = await readPicture(output);
    assert.deepEqual([picture.format, picture.width, size], ['jpeg', 300, output.length]);
  });

  test('fills a template with a file of data', async () => {
    writeFileSync(path('data.json'), '{"name": "World"}');
    const calls: Call[] = [
      ['setDataFile', path('data.json')],
      ['convertString', '<p>Hello {{ name }}'],
    ];
    assert.equal(pdfText((await converted(calls)).output), 'Hello World');
  });

  test('supports its documented classes and script helper', async () => {
    const high = '<p style="position:absolute;z-index:99">gone</p>';
    const { output } = await converted([
      ['setCustomCss', '.pdfcrowd-body p::after { content: " styled" }'],
      ['setCustomJavascript', 'libPdfcrowd.removeZIndexHigherThan({zlimit: 90});'],
      [
        'convertString',
        `<p>kept</p><p class="pdfcrowd-remove">gone</p><p class="service-remove">gone</p>${high}`,
      ],
    ]);
    assert.equal(pdfText(output), 'kept styled');
  });

  test('reads status, reason and message of errors', async () => {
    const refused = async (calls: readonly Call[], plan: Partial<Plan> = {}) =>
      (await run(calls, plan))[0]?.error;
    assert.deepEqual(await refused([['convertString', 'x']], { key: 'wrong' }), {
      status: '401',
      reason: '106',
      message:
        'Missing or wrong credentials. Send the account name and its key with HTTP Basic authentication.',
      link: '',
    });
    const value = await refused([
      ['setLocale', 'no such language'],
      ['convertString', 'x'],
    ]);
    assert.deepEqual([value?.status, value?.reason], ['400', '311']);
    assert.match(value?.message ?? '', /^The value 'no such language' of locale is not allowed; .*\.$/);
    const script = await refused([
      ['setCustomJavascript', 'throw new Error("no\\nway")'],
      ['setDebugLog', true],
      ['convertString', 'x'],
    ]);
    assert.deepEqual([script?.status, script?.reason], ['400', '327']);
    assert.match(script?.message ?? '', /^custom_javascript threw /);
  });

  test('retries after a 503 and gets its document', async () => {
    const busy = (_: unknown, answer: ServerResponse) => {
      answer.writeHead(503).end('503.503 - Try again.');
    };
    await using front = await openReverseProxy(service, busy, busy);
    const calls: Call[] = [
      ['setRetryCount', 2],
      ['convertString', 'at last'],
    ];
    const { output } = await converted(calls, { port: Number(new URL(front.url).port) });
    assert.equal(pdfText(output), 'at last');
    assert.equal(front.requestCount(), 3);
  });

  test('works with the service as its proxy, and links lead to the service', async () => {
    const { port } = new URL(service.url);
    const plan = { port: 80 };
    for (const credentials of [[], ['someone', 'secret']]) {
      const calls: Call[] = [
        ['setProxy', '127.0.0.1', Number(port), ...credentials],
        ['setDebugLog', true],
        ['convertString', 'by proxy'],
      ];
      const { output, debugLog } = await converted(calls, plan);
      assert.equal(pdfText(output), 'by proxy');
      assert.ok(debugLog.startsWith(`${service.url}/debug-log/`));
      assert.equal((await fetch(debugLog)).status, 200);
    }
  });

  test('gets the same document from every version of the API', async () => {
    for (const version of ['24.04', '20.10', '18.10', 'latest']) {
      const calls: Call[] = [
        ['setConverterVersion', version],
        ['convertString', version],
      ];
      assert.equal(pdfText((await converted(calls)).output), version);
    }
  });

  test('can be reused: fields of an earlier input have no effect', async () => {
    await using web = await serveWeb({ '/': '<p>the page' });
    mkdirSync(path('again'));
    writeFileSync(path('again/file.html'), '<p>the file');
    const results = await run([
      ['convertString', '<p>the text'],
      ['convertUrl', web.url],
      ['setDebugLog', true],
      ['convertFile', path('again/file.html')],
    ]);
    assert.deepEqual(
      results.map(({ output }) => pdfText(output)),
      ['the text', 'the page', 'the file'],
    );
    const log = await (await fetch(results[2]?.debugLog ?? '')).text();
    assert.match(log, /url was ignored, because file was given too/);
    assert.match(log, /text was ignored, because file was given too/);
  });
});
