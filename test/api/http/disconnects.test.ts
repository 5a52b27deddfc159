import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { send, type Fields } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { descendants } from '../../support/service/processes.ts';
import { serveWeb, type WebServer } from '../../support/servers/web-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

/**
 * The maximum time of the next job in milliseconds: enough for a busy machine. An abandoned job would block the window for minutes.
 */
const promptly = 30_000;

/** The maximum time between a disconnect and its line in the service log, in milliseconds. */
const logLineTimeoutMs = 3000;

describe('A caller who disconnects frees the only window immediately', () => {
  let service: Service;
  let web: WebServer;
  before(async () => {
    web = await serveWeb({ '/begun': '', '/never.pdf': () => undefined, '/never.html': () => undefined });
    const flags = ['--workers', '1', '--job-timeout', '10m', '--network-allow', '127.0.0.1'];
    service = await startService({ flags });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
  });

  const pages = (count: number) => '<p style="break-after:page">page</p>'.repeat(count);
  const tall =
    '<body style="margin:0"><div style="height:30000px;background:repeating-linear-gradient(red,blue 9px)">';
  const images = `<script>
    for (let n = 0; n < 12; n += 1) {
      const c = document.body.appendChild(document.createElement('canvas'));
      c.width = c.height = 1500;
      const x = c.getContext('2d'), d = x.createImageData(1500, 1500);
      for (let i = 0; i < d.data.length; i += 65536) crypto.getRandomValues(d.data.subarray(i, Math.min(i + 65536, d.data.length)));
      x.putImageData(d, 0, 0);
    }</script>`;
  const script = (name: string) => `<script src="${web.url}/begun?${name}"></script>`;

  const cases: readonly (readonly [stage: string, what: string, fields: () => Fields])[] = [
    [
      'prepare input',
      'while the template is filled',
      () => ({
        text: '{% for i in range(9000) %}{% for j in range(9000) %}{% if i == j %}{% endif %}{% endfor %}{% endfor %}',
        data_string: '{"a":1}',
      }),
    ],
    [
      'load the page',
      'while an endless script runs',
      () => ({ text: `${script('x')}<script>for (;;);</script>` }),
    ],
    [
      'run custom_javascript',
      'while custom_javascript waits',
      () => ({ text: 'x', custom_javascript: 'new Promise(() => {})' }),
    ],
    ['print', 'while many pages are printed', () => ({ text: `<body>${pages(1500)}` })],
    [
      'print the footers',
      'while the footers are printed',
      () => ({ text: pages(400), footer_html: `<script>document.write(1)</script>`, footer_height: '0.5in' }),
    ],
    [
      'fetch page_watermark_url',
      'while the watermark is fetched',
      () => ({ text: 'x', page_watermark_url: `${web.url}/never.pdf` }),
    ],
    [
      'fetch the header',
      'while the header is fetched',
      () => ({ text: 'x', header_url: `${web.url}/never.html`, header_height: '1in' }),
    ],
    [
      'finish the PDF',
      'while the PDF is finished',
      () => ({ text: `<body>${images}`, image_dpi: 30, convert_images_to_jpeg: 'all', linearize: true }),
    ],
    ['capture', 'while the image is captured', () => ({ text: tall, output_format: 'tiff' })],
    [
      'encode',
      'while the image is encoded',
      () => ({ text: tall.replace('30000', '9000'), output_format: 'avif' }),
    ],
  ];
  for (const [stage, what, fields] of cases) {
    test(what, { timeout: 240_000 }, async () => {
      await hangUpIn(stage, fields());
      await assertFree();
    });
  }

  test('while the job waits for the window', async () => {
    const holder = new AbortController();
    const running = send(service, { text: `${script('held')}<script>for (;;);</script>` }, holder);
    await waitUntil('the page is loaded', () => web.requestedPaths.includes('/begun'));
    await hangUpIn('wait for a window', { text: 'x' });
    holder.abort();
    await assert.rejects(running);
    await assertFree();
  });

  test('while the request is still arriving', async () => {
    const caller = new AbortController();
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(
          Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.html"\r\n\r\nx'),
        );
      },
    });
    const headers = {
      authorization: `Basic ${btoa('demo:demo')}`,
      'content-type': 'multipart/form-data; boundary=b',
    };
    const init = { method: 'POST', headers: headers, body, duplex: 'half', signal: caller.signal };
    const sent = fetch(`${service.url}/convert/24.04/`, init);
    await waitUntil('the job has files', () => leftOver().length > 0);
    caller.abort();
    await assert.rejects(sent);
    await assertFree();
  });

  /** Disconnects after different delays, until the service log shows that a disconnect happened in that stage. */
  async function hangUpIn(stage: string, fields: Fields): Promise<void> {
    let earliest = 0;
    let latest = Infinity;
    let wait = 100;
    const seen: string[] = [];
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const reached = await hangUpAfter(wait, fields);
      seen.push(`${wait} ms: ${reached}`);
      if (reached === stage) return;
      if (order.indexOf(reached) < order.indexOf(stage)) earliest = wait;
      else latest = wait;
      // Randomised, because the duration of the stages varies.
      const middle = latest === Infinity ? earliest * 2 + 20 : (earliest + latest) / 2;
      wait = Math.round(middle * (0.8 + Math.random() * 0.4));
    }
    assert.fail(`no disconnect happened in '${stage}': ${seen.join('; ')}`);
  }

  /** Disconnects after this time. Returns the stage of the job at that moment, or 'over' if the job ended earlier. */
  async function hangUpAfter(milliseconds: number, fields: Fields): Promise<string> {
    const before = abortedJobs().length;
    const signal = AbortSignal.timeout(milliseconds);
    const over = await send(service, fields, { signal }).then(
      () => true,
      () => false,
    );
    if (over) return 'over';
    // There is no log line if the caller disconnects before the request arrives.
    const end = performance.now() + logLineTimeoutMs;
    await waitUntil(
      'the disconnect is logged',
      () => abortedJobs().length > before || performance.now() > end,
    );
    return abortedJobs().length > before ? (abortedJobs().at(-1) ?? '') : 'start';
  }

  /** Returns the stages of all disconnects so far. */
  function abortedJobs(): string[] {
    const lines = service
      .log()
      .split('\n')
      .filter((line) => line.includes('the caller disconnected'));
    return lines.map((line) => (JSON.parse(line) as { stage: string }).stage);
  }

  function leftOver(): string[] {
    return readdirSync(join(service.data, 'work'));
  }

  async function assertFree(): Promise<void> {
    const began = performance.now();
    const { status, body } = await send(service, { text: '<p>letter' });
    assert.equal(status, 200, body.toString());
    assert.equal(pdfText(body), 'letter');
    const took = performance.now() - began;
    assert.ok(took < promptly, `the letter took ${took} ms`);
    await waitUntil('the files of the job are deleted', () => leftOver().length === 0);
    await waitUntil('the image encoder has ended', () => encoders().length === 0);
  }

  function encoders(): string[] {
    return descendants(service.process.pid ?? 0).filter((command) => command.includes('image-encoder'));
  }
});

/** The stages of a job, in order. */
const order = [
  'start',
  'prepare input',
  'wait for a window',
  'set up the window',
  'load the page',
  'inject styles',
  'load fonts and images',
  'wait until the page has settled',
  'run custom_javascript',
  'fit the layout',
  'print',
  'fetch page_watermark_url',
  'fetch the header',
  'print the footers',
  'finish the PDF',
  'capture',
  'encode',
  'over',
];
