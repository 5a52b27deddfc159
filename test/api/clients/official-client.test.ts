/** Pdfcrowd's official client, unchanged, with this service. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventsOf, type LogEvent } from '../../../main/log/events.ts';
import { convert } from '../../support/service/convert.ts';
import { openReverseProxy } from '../../support/servers/reverse-proxy.ts';
import {
  runOfficialClient,
  type Call,
  type ClientName,
  type ClientPlan,
  type Result,
} from '../../support/clients/official-client.ts';
import { pdfFacts, pdfSizes, pdfText } from '../../support/output/pdf.ts';
import { pdfcrowdFields, pdfcrowdSetters } from '../../support/clients/pdfcrowd-fields.ts';
import { samplePage, sampleImage, writeSamples } from '../../support/clients/pdfcrowd-samples.ts';
import { readImage } from '../../support/output/image.ts';
import { startService, temporaryFolder, type Service } from '../../support/service/service.ts';
import { serveWeb, type WebServer } from '../../support/servers/web-server.ts';
import { zip } from '../../support/archives/zip-writer.ts';

let service: Service;
const folder = temporaryFolder();
before(async () => {
  const flags = ['--alias', 'pdfcrowd', '--network-allow', '127.0.0.1'];
  service = await startService({ flags: [...flags, '--accounts', 'ann:secret:9,rich:key'] });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('The official Pdfcrowd client', () => {
  const path = (name: string) => join(folder, name);

  const run = (calls: readonly Call[], plan: Partial<ClientPlan> = {}) =>
    runOfficialClient({ port: Number(new URL(service.url).port), calls, ...plan });

  /** Returns the result of the last conversion. Asserts that it is not an error. */
  async function converted(calls: readonly Call[], plan: Partial<ClientPlan> = {}) {
    const result = (await run(calls, plan)).at(-1);
    assert.equal(result?.error, undefined);
    assert.ok(result);
    return result;
  }

  test('converts a string, and reads all headers of the response', async () => {
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

  test('prints headers and footers with the classes that Pdfcrowd documents, on the requested pages', async () => {
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

  test('reads 999,999 remaining credits for an account without a limit', async () => {
    assert.equal(
      (await converted([['convertString', 'x']], { user: 'rich', key: 'key' })).remaining,
      999_999,
    );
  });

  test('converts a page by its URL', async () => {
    await using web = await serveWeb({ '/page': '<p>from the web' });
    assert.equal(pdfText((await converted([['convertUrl', `${web.url}/page`]])).output), 'from the web');
  });

  test('converts a file, although the client sends the whole path as the file name', async () => {
    writeFileSync(path('page.html'), '<meta charset="utf-8"><p>from a file – with “quotes”');
    const { output } = await converted([['convertFile', path('page.html')]]);
    assert.equal(pdfText(output), 'from a file – with “quotes”');
  });

  test('converts an archive with its assets, and the page that setZipMainFilename names', async () => {
    const red = '<link rel="stylesheet" href="css/red.css">';
    const archive = zip([
      { name: 'index.html', contents: `${red}<p>first` },
      { name: 'other.html', contents: `${red}<p>other` },
      { name: 'css/red.css', contents: 'p::after { content: " styled" }' },
    ]);
    writeFileSync(path('site.zip'), archive);
    const [first, second] = await run([
      ['convertFile', path('site.zip')],
      ['setZipMainFilename', 'other.html'],
      ['convertFile', path('site.zip')],
    ]);
    assert.equal(pdfText(first?.output ?? Buffer.of()), 'first styled');
    assert.equal(pdfText(second?.output ?? Buffer.of()), 'other styled');
  });

  test('converts a stream in the encoding that the client sends', async () => {
    writeFileSync(path('stream.html'), '<p>from a stream');
    assert.equal(
      pdfText((await converted([['convertStream', path('stream.html')]])).output),
      'from a stream',
    );
    // The client sends the decoded stream as Latin-1, so other characters and archives arrive intact only in that encoding.
    writeFileSync(path('euro.html'), '<meta charset="utf-8"><p>10 €');
    assert.equal(pdfText((await converted([['convertStream', path('euro.html'), 'latin1']])).output), '10 €');
    writeFileSync(path('streamed.zip'), zip([{ name: 'index.html', contents: '<p>from an archive' }]));
    const { output } = await converted([['convertStream', path('streamed.zip'), 'latin1']]);
    assert.equal(pdfText(output), 'from an archive');
  });

  test('gets the default paper of Pdfcrowd, unless css_page_rule_mode selects the paper of the page', async () => {
    const text = '<!doctype html><style>body { margin: 0 } @page { size: a5 }</style>x';
    assert.deepEqual(pdfSizes(await convert(service, { text })), ['595 x 842']);
    const fields = { text, css_page_rule_mode: 'mode2' };
    assert.deepEqual(pdfSizes(await convert(service, fields)), ['420 x 595']);
  });

  test('creates images', async () => {
    const calls: Call[] = [
      ['setOutputFormat', 'JPG'],
      ['setScreenshotWidth', 300],
      ['convertString', '<body style="background:#c00">'],
    ];
    const { output, size } = await converted(calls, { client: 'HtmlToImageClient' });
    const image = await readImage(output);
    assert.deepEqual([image.format, image.width, size], ['jpeg', 300, output.length]);
  });

  test('fills a template with a data file', async () => {
    writeFileSync(path('data.json'), '{"name": "World"}');
    const calls: Call[] = [
      ['setDataFile', path('data.json')],
      ['convertString', '<p>Hello {{ name }}'],
    ];
    assert.equal(pdfText((await converted(calls)).output), 'Hello World');
  });

  test('can use the classes and the script helper that Pdfcrowd documents', async () => {
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

  test('reads the status, reason and message of an error', async () => {
    const refused = async (calls: readonly Call[], plan: Partial<ClientPlan> = {}) =>
      (await run(calls, plan))[0]?.error;
    const credentials = await refused([['convertString', 'x']], { key: 'wrong' });
    assert.deepEqual([credentials?.status, credentials?.reason, credentials?.link], ['401', '106', '']);
    assert.match(credentials?.message ?? '', /^Missing or wrong credentials\./);
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

  test('retries after a 503 response, and gets the document', async () => {
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

  test('can use the service as its proxy, and gets links to the service', async () => {
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

  test('can be reused, and the fields of an earlier input have no effect', async () => {
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

/** The fields of setters that set several fields. */
const severalFields: Readonly<Record<string, readonly string[]>> = {
  setPageDimensions: ['page_width', 'page_height'],
  setPageMargins: ['margin_top', 'margin_right', 'margin_bottom', 'margin_left'],
  setHttpAuth: ['http_auth_user_name', 'http_auth_password'],
  setViewport: ['viewport_width', 'viewport_height'],
  setContentArea: ['content_area_x', 'content_area_y', 'content_area_width', 'content_area_height'],
};

async function fieldsInLog({ debugLog }: Result): Promise<string[]> {
  const { events } = (await (await fetch(debugLog, { headers: { accept: 'application/json' } })).json()) as {
    readonly events: readonly LogEvent[];
  };
  const options = eventsOf(events, 'options').flatMap(({ detail }) => detail.options);
  return options.filter(({ from }) => from === 'request').map(({ name }) => name);
}

/** A single job for which every setter of the client is called. */
describe('The official Pdfcrowd client, with every setter called', () => {
  let web: WebServer;
  before(async () => {
    const image = await sampleImage();
    const imageRoute = {
      '/image.png': (_: unknown, response: { end: (bytes: Buffer) => void }) => {
        response.end(image);
      },
    };
    web = await serveWeb({ '/piece.html': '<p>a piece', ...imageRoute });
  });
  after(() => web[Symbol.asyncDispose]());

  async function convertWithAll(client: ClientName): Promise<Result> {
    const sample = await writeSamples({ folder, host: new URL(web.url).host });
    const port = Number(new URL(service.url).port);
    const connection: Readonly<Record<string, readonly unknown[]>> = {
      setConverterVersion: ['24.04'],
      setUseHttp: [true],
      setClientUserAgent: ['program/1.0'],
      setUserAgent: ['program/1.0'],
      setProxy: ['127.0.0.1', port, 'someone', 'secret'],
      setRetryCount: [1],
    };
    const calls = pdfcrowdSetters(client).map(({ method, fields }): Call => {
      const several = severalFields[method] ?? fields;
      return [method, ...(connection[method] ?? several.map(sample))];
    });
    const [result] = await runOfficialClient({ client, calls: [...calls, ['convertString', samplePage]] });
    assert.ok(result);
    assert.equal(result.error, undefined);
    return result;
  }

  const inputs = ['url', 'file', 'stream'];

  test('creates a PDF, and the service accepts every field', async () => {
    const result = await convertWithAll('HtmlToPdfClient');
    assert.match(result.output.subarray(0, 8).toString('latin1'), /^%PDF-/);
    const seen = await fieldsInLog(result);
    const missing = pdfcrowdFields('HtmlToPdfClient').filter((name) => !seen.includes(name));
    assert.deepEqual(missing, inputs);
  });

  test('creates an image, and the service accepts every field', async () => {
    const result = await convertWithAll('HtmlToImageClient');
    assert.equal((await readImage(result.output)).format, 'png');
    const seen = await fieldsInLog(result);
    const missing = pdfcrowdFields('HtmlToImageClient').filter((name) => !seen.includes(name));
    assert.deepEqual(missing, inputs);
  });
});
