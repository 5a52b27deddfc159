/** Measures the CPU time of the service's main thread between a request to /health and its response, during expensive jobs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { convert, type Fields } from '../support/service/convert.ts';
import { pdfText } from '../support/output/pdf.ts';
import { electronOf } from '../support/service/processes.ts';
import { startService, type Service } from '../support/service/service.ts';
import { serveWeb, type WebServer } from '../support/servers/web-server.ts';

/**
 * The limit of CPU time in milliseconds; elapsed time would depend on other load of the machine. Without the measures that keep the
 * main thread responsive, each test takes more than a second; with them, 200 to 400 ms, and up to 700 on a machine with other load.
 */
const limitMs = 900;

describe('/health responds immediately', { skip: process.platform !== 'linux' }, () => {
  let service: Service;
  let web: WebServer;
  before(async () => {
    web = await serveWeb({});
    service = await startService({ flags: ['--network-allow', '127.0.0.0/8', '--workers', '2'] });
    await convert(service, { text: '<p>x<script></script>' });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
  });

  /** Returns the CPU time of the main thread so far, in milliseconds. schedstat contains nanoseconds (proc(5)). */
  const worked = () => {
    const main = electronOf(service);
    return Number(readFileSync(`/proc/${main}/task/${main}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  };

  const longestWork = async (during: Promise<unknown>) => {
    const state = { over: false, longest: 0, requests: 0 };
    const end = () => (state.over = true);
    during.then(end, end);
    while (!state.over) {
      const before = worked();
      assert.equal((await fetch(`${service.url}/health`)).status, 200);
      state.longest = Math.max(state.longest, worked() - before);
      state.requests += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return state;
  };

  const script = (source: string, fields: Fields = {}): Fields => ({
    text: `<p>page<script>${source}</script>`,
    javascript_delay: 500,
    ...fields,
  });
  const megabytes = (count: number, text: string) => text.repeat((count * 1e6) / text.length);

  for (const [what, fields] of [
    [
      'requests 20,000 addresses simultaneously',
      () => script(`for (let n = 0; n < 20000; n += 1) fetch('${web.url}/' + n)`),
    ],
    ['requests 20,000 sibling files', () => script(`for (let n = 0; n < 20000; n += 1) fetch('x' + n)`)],
    [
      'writes 100,000 console messages to the debug log',
      () => script("for (let n = 0; n < 100000; n += 1) console.log('x'.repeat(99))", { debug_log: true }),
    ],
    ['has a style sheet of 10 MB', () => ({ text: '<p>page', custom_css: `/*${megabytes(9.9, 'x')}*/` })],
    ['has a script of 10 MB', () => ({ text: '<p>page', custom_javascript: `/*${megabytes(9.9, 'x')}*/` })],
  ] as const)
    test(`while a page ${what}`, async () => {
      const converted = convert(service, fields());
      const { longest, requests } = await longestWork(converted);
      assert.match(pdfText(await converted), /page/);
      assert.ok(
        requests > 5 && longest < limitMs,
        `${Math.round(longest)} ms of CPU time, ${requests} requests`,
      );
    });

  test('while a page of text is converted to a large image', async () => {
    const text = `<p>${'text '.repeat(20_000)}`;
    const made = convert(service, { text, output_format: 'bmp', screenshot_width: 1500 });
    const { longest, requests } = await longestWork(made);
    assert.ok((await made).length > 20e6);
    assert.ok(
      requests > 5 && longest < limitMs,
      `${Math.round(longest)} ms of CPU time, ${requests} requests`,
    );
  });

  test('while a page of random pixels is captured', async () => {
    const text = `<style>body{margin:0}canvas{display:block}</style><canvas width="2000" height="4000"></canvas><script>
      const context = document.querySelector('canvas').getContext('2d'), image = context.createImageData(2000, 4000);
      const pixels = new Uint32Array(image.data.buffer);
      for (let n = 0; n < pixels.length; n += 1) pixels[n] = (Math.random() * 2 ** 32) | 0xff000000;
      context.putImageData(image, 0, 0)</script>`;
    const fields = { text, output_format: 'png', screenshot_width: 2000 };
    const { longest } = await longestWork(convert(service, fields));
    assert.ok(longest < limitMs, `${Math.round(longest)} ms of CPU time`);
  });
});
