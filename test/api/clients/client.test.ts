/** The client package (docs/client.md), packed and installed by npm, with a running service. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ConversionRequest, PlatenError } from '../../../client/index.ts';
import { typedProgram } from '../../support/clients/client-types.ts';
import { evaluateInPage, serveClient } from '../../support/clients/client-page.ts';
import { installClient, type InstalledClient } from '../../support/clients/client.ts';
import { examples } from '../../support/clients/documentation.ts';
import { openReverseProxy } from '../../support/servers/reverse-proxy.ts';
import { pdfFacts, pdfText } from '../../support/output/pdf.ts';
import { readImage } from '../../support/output/image.ts';
import { project, startService, temporaryFolder, type Service } from '../../support/service/service.ts';
import { serveWeb, type WebServer } from '../../support/servers/web-server.ts';
import { zip } from '../../support/archives/zip-writer.ts';

describe('The client, installed from its package', () => {
  let service: Service;
  let installed: InstalledClient;
  let clientSite: WebServer;
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  before(async () => {
    installed = await installClient(folder);
    clientSite = await serveClient(installed.dist);
    const accounts = ['--accounts', 'ann:schlüssel:50'];
    const flags = ['--network-allow', '127.0.0.1', '--cors-origins', clientSite.url, ...accounts];
    service = await startService({ flags });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await clientSite[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (settings: { url?: string; account?: string; key?: string; patience?: number } = {}) =>
    new installed.index.PlatenClient({ url: service.url, account: 'demo', key: 'demo', ...settings });
  const bytesOf = async (conversion: { bytes: () => Promise<Uint8Array> }) =>
    Buffer.from(await conversion.bytes());

  /** Returns the error with which the promise rejects. Asserts that it is a PlatenError. */
  async function errorOf(under: Promise<unknown>): Promise<PlatenError> {
    const problem = await under.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(problem instanceof installed.index.PlatenError, String(problem));
    return problem;
  }

  test('submits an asynchronous job once, waits for its output, and cancels one', async () => {
    const client = open();
    const request = { html: '<p>later</p>', idempotencyKey: 'order-7', keep: 60 } as const;
    const { id, state } = await client.submit(request);
    assert.equal(state, 'queued');
    assert.equal((await client.submit(request)).id, id);
    assert.equal((await errorOf(client.submit({ ...request, html: 'other' }))).reason, 332);
    const output = await client.waitForOutput(id);
    assert.deepEqual([output.jobId, output.consumedCredits, output.pages], [id, 1, 1]);
    assert.equal(pdfText(await bytesOf(output)), 'later');
    assert.equal((await client.job(id)).state, 'done');
    await client.cancel(id);
    assert.equal((await errorOf(client.output(id))).reason, 331);
    const failed = await client.submit({ html: 'x', options: { element_to_convert: '#missing' } });
    assert.equal((await errorOf(client.waitForOutput(failed.id))).status, 400);
    assert.equal((await errorOf(client.submit({ html: 'x', keep: 0 }))).reason, 311);
  });

  test('converts, and returns the contents of all response headers', async () => {
    const html = '<title>t</title><p>one<p style="break-before:page">two<p style="break-before:page">three';
    const conversion = await open({ account: 'ann', key: 'schlüssel' }).convert({
      html,
      options: {
        page_size: 'A5',
        print_page_range: '2-',
        output_name: 'Größe.pdf',
        debug_log: true,
        layout_dpi: 90,
      },
    });
    const pdf = await bytesOf(conversion);
    assert.equal(pdfText(pdf), 'two three');
    assert.equal(Math.round(pdfFacts(pdf).width), 420);
    assert.match(conversion.jobId, /^[0-9a-z]{26}$/);
    const { pages, totalPages, consumedCredits, remainingCredits, outputSize, notes } = conversion;
    assert.deepEqual(
      { pages, totalPages, consumedCredits, remainingCredits, outputSize, notes },
      { pages: 2, totalPages: 3, consumedCredits: 1, remainingCredits: 49, outputSize: pdf.length, notes: 1 },
    );
    assert.deepEqual([conversion.contentType, conversion.name], ['application/pdf', 'Größe.pdf']);
    assert.match(conversion.debugLog ?? '', /\/debug-log\/\S+$/);
  });

  test('converts URLs, files, archives and templates', async () => {
    await using site = await serveWeb({ '/': '<p>from the web' });
    const text = async (request: ConversionRequest) => pdfText(await bytesOf(await open().convert(request)));
    assert.equal(await text({ url: new URL(site.url) }), 'from the web');
    assert.equal(await text({ file: new File(['<p>from a file'], 'a.html') }), 'from a file');
    assert.equal(await text({ file: new TextEncoder().encode('<p>from bytes') }), 'from bytes');
    const archive = zip([{ name: 'index.html', contents: '<p>from an archive' }]);
    assert.equal(await text({ archive }), 'from an archive');
    assert.equal(await text({ html: '{{number}} {{name}}', data: { number: 7, name: 'Zoë' } }), '7 Zoë');
    const data_file = { name: 'data.csv', content: new Blob(['name\nPen\nInk']) };
    assert.equal(await text({ html: '{{#each data}}{{name}} {{/each}}', options: { data_file } }), 'Pen Ink');
  });

  test('returns an image as a stream', async () => {
    const { body, contentType, pages, name } = await open().convert({
      html: '<body style="margin:0;background:#0f0">',
      options: { output_format: 'png', screenshot_width: 300, screenshot_height: 200 },
    });
    const parts: Uint8Array[] = [];
    for await (const part of body as unknown as AsyncIterable<Uint8Array>) parts.push(part);
    const image = await readImage(Buffer.concat(parts));
    assert.deepEqual([image.width, image.height, image.at(10, 10)], [300, 200, [0, 255, 0]]);
    assert.deepEqual([contentType, pages, name], ['image/png', undefined, 'image.png']);
  });

  test('throws an error with all its details', async () => {
    const wrong = open().convert({
      html: 'x',
      options: { page_size: 'A9' as 'A4', debug_log: true },
    });
    const error = await errorOf(wrong);
    assert.deepEqual(
      [error.name, error.status, error.reason, error.retryAfter],
      ['PlatenError', 400, 311, undefined],
    );
    assert.match(error.message, /A9.*page_size.*allowed: A0, /);
    assert.match(error.jobId ?? '', /^[0-9a-z]{26}$/);
    const nobody = await errorOf(open({ key: 'wrong' }).convert({ html: 'x' }));
    assert.deepEqual([nobody.status, nobody.reason, nobody.jobId], [401, 106, undefined]);
    await assert.rejects(open({ url: 'http://127.0.0.1:1' }).convert({ html: 'x' }), TypeError);
  });

  test('throws an error with the status if a proxy responds instead of the service', async () => {
    await using front = await openReverseProxy(service, (_, answer) => {
      answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>nginx</h1>');
    });
    const error = await errorOf(open({ url: `${front.url}/` }).convert({ html: 'x' }));
    assert.deepEqual(
      [error.status, error.reason, error.message],
      [502, undefined, 'The response is 502 Bad Gateway'],
    );
  });

  test('does not follow redirects, which could disclose the key', async () => {
    await using front = await openReverseProxy(service, (_, answer) => {
      answer.writeHead(307, { location: `${service.url}/convert/24.04/` }).end();
    });
    await assert.rejects(open({ url: front.url }).convert({ html: 'x' }), TypeError);
    assert.equal(front.requestCount(), 1);
  });

  test('retries with the complete form if the service is busy', async () => {
    await using front = await openReverseProxy(
      service,
      (_, answer) => answer.writeHead(503, { 'retry-after': '1' }).end('503.503 - Later.'),
      (_, answer) => answer.writeHead(429).end('429.120 - Slower.'),
    );
    const conversion = await open({ url: front.url }).convert({ file: new Blob(['<p>at last']) });
    assert.equal(pdfText(await bytesOf(conversion)), 'at last');
    assert.equal(front.requestCount(), 3);
  });

  test('throws immediately if Retry-After is too long, with its value', async () => {
    await using front = await openReverseProxy(service, (_, answer) => {
      const body = '{"status_code":503,"reason_code":503,"message":"The queue is full."}';
      answer.writeHead(503, { 'retry-after': '120', 'content-type': 'application/json' }).end(body);
    });
    const error = await errorOf(open({ url: front.url }).convert({ html: 'x' }));
    assert.deepEqual([error.status, error.reason, error.retryAfter], [503, 503, 120]);
    assert.equal(error.message, 'The queue is full.');
  });

  test('cancels the conversion in the service if its signal is aborted', async () => {
    let begin = () => {};
    const started = new Promise<void>((resolve) => (begin = resolve));
    await using site = await serveWeb({
      '/': () => {
        begin();
      },
    });
    const controller = new AbortController();
    const under = open().convert({ url: site.url, options: { tag: 'given up' }, signal: controller.signal });
    await started;
    controller.abort();
    await assert.rejects(under, { name: 'AbortError' });
    // Polls, because the outcome is recorded after the window is released.
    let outcome: string | null | undefined;
    while (outcome !== 'caller gone') {
      const { jobs } = await open().jobs({ limit: 50 });
      outcome = jobs.find(({ tag }) => tag === 'given up')?.outcome;
    }
  });

  test('reads job records page by page, and the record of a single job', async () => {
    for (const tag of ['first', 'second'])
      await (await open().convert({ html: 'x', options: { tag, page_size: 'A6' } })).bytes();
    const newest = await open().jobs({ limit: 1 });
    assert.deepEqual(
      newest.jobs.map(({ tag, outcome }) => [tag, outcome]),
      [['second', 'converted']],
    );
    const older = await open().jobs({ limit: 1, before: newest.next ?? '' });
    assert.equal(older.jobs[0]?.tag, 'first');
    const job = await open().job(older.jobs[0].id);
    assert.deepEqual([job.pages, job.parameters?.page_size], [1, 'A6']);
    assert.equal((await errorOf(open().job('0'.repeat(26)))).reason, 404);
    assert.equal((await errorOf(open().jobs({ account: 'ann' }))).reason, 311);
  });

  test('reads a debug log with the link in the response', async () => {
    const {
      debugLog = '',
      jobId,
      bytes,
    } = await open().convert({
      html: '<img src="missing.png" width=9>x',
      options: { debug_log: true },
    });
    await bytes();
    const log = await open().debugLog(debugLog);
    assert.deepEqual([log.job.id, log.outcome], [jobId, 'converted']);
    assert.ok(log.events.some(({ kind }) => kind === 'request'));
    assert.ok(
      log.findings.some(
        ({ code, sentence }) => code === 'missing-resource' && sentence.includes('missing.png'),
      ),
    );
    assert.equal((await errorOf(open().debugLog('nothing'))).status, 404);
  });

  test('reports whether the service is alive, and whether it is ready', async () => {
    assert.equal(await open().health(), true);
    assert.deepEqual(await open().ready(), { status: 'ready' });
    assert.equal(await open({ url: 'http://127.0.0.1:1' }).health(), false);
    await using front = await openReverseProxy(service, (_, answer) => {
      answer
        .writeHead(503, { 'content-type': 'application/json' })
        .end('{"status":"not ready","reason":"It is starting."}');
    });
    const { status, reason } = await open({ url: front.url }).ready();
    assert.deepEqual([status, reason], ['not ready', 'It is starting.']);
  });

  test('reads files from disk, and never leaves an incomplete output on disk', async () => {
    const { openFile, saveAs } = installed.node;
    writeFileSync(path('page.html'), `<p>from the disk${'<!-- . -->'.repeat(300_000)}`);
    const file = await openFile(path('page.html'));
    assert.equal(file.name, 'page.html');
    await saveAs(await open().convert({ file }), path('page.pdf'));
    assert.equal(pdfText(readFileSync(path('page.pdf'))), 'from the disk');
    await using front = await openReverseProxy(service, (_, answer) => {
      answer.writeHead(200, { 'content-length': '1000' }).write('%PDF-1.4', () => answer.destroy());
    });
    const broken = await open({ url: front.url }).convert({ html: 'x' });
    await assert.rejects(saveAs(broken, path('page.pdf')));
    assert.equal(pdfText(readFileSync(path('page.pdf'))), 'from the disk');
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  test('has a type for each option: values that the service refuses do not compile', () => {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      types: [],
      module: 'NodeNext',
      target: 'ES2022',
      lib: ['ES2022', 'DOM'],
    };
    writeFileSync(path('program.ts'), typedProgram);
    writeFileSync(path('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const compiler = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });

  test('works in a browser, on a page whose origin is allowed, with the same errors', async () => {
    const result = await evaluateInPage(
      clientSite,
      service.url,
      `{
        const client = new PlatenClient({ url, account: 'demo', key: 'demo' });
        const made = await client.convert({ file: new File(['<p>from a page'], 'a.html'), options: { output_name: 'Größe.pdf' } });
        const start = await (await made.blob()).slice(0, 5).text();
        const error = await client.convert({ html: 'x', options: { page_size: 'A9' } }).catch((problem) => problem);
        const nobody = await new PlatenClient({ url, account: 'demo', key: 'no' }).convert({ html: 'x' }).catch((problem) => problem);
        return [start, made.pages, made.name, made.jobId.length, error instanceof PlatenError, error.reason, nobody.status, await client.ready()];
      }`,
    );
    assert.deepEqual(result, ['%PDF-', 1, 'Größe.pdf', 26, true, 311, 401, { status: 'ready' }]);
  });

  for (const [index, { place, body }] of examples()
    .filter(({ language, mark }) => language === 'js' && mark === 'run')
    .entries()) {
    test(`${place}: the example runs and saves its files`, () => {
      const exampleFolder = path(`example-${index}`);
      mkdirSync(exampleFolder);
      writeFileSync(
        join(exampleFolder, 'program.js'),
        body.replaceAll('127.0.0.1:8730', new URL(service.url).host),
      );
      const { status, stderr } = spawnSync(process.execPath, ['program.js'], {
        cwd: exampleFolder,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      for (const [, name = ''] of body.matchAll(/saveAs\(.*, '(\S+\.pdf)'\)/g))
        assert.ok(pdfFacts(readFileSync(join(exampleFolder, name))).pages > 0, name);
    });
  }
});
