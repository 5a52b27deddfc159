/** Limits in the settings: the sizes of uploads, archives and outputs, and the queue. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import {
  convert,
  demo,
  htmlFile,
  refusal,
  send,
  type ConversionResponse,
} from '../../support/service/convert.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { basic } from '../../support/service/job-record.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

/** The size of all files below the folder. */
function bytesIn(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true }).map((path) =>
    statSync(join(folder, String(path)), { throwIfNoEntry: false }),
  );
  return sizes.reduce((sum, found) => sum + (found?.isFile() === true ? found.size : 0), 0);
}

describe('A job that exceeds a limit of the settings', () => {
  let service: Service;
  before(async () => {
    const sizes = ['--max-upload', '100kB', '--archive-size', '20MB', '--max-output', '40kB'];
    const queue = ['--workers', '1', '--queue', '1', '--queue-timeout', '3s'];
    service = await startService({ flags: ['--network-allow', '127.0.0.1', ...sizes, ...queue] });
  });
  after(() => service[Symbol.asyncDispose]());

  /** Starts a job that occupies the only window until it is released. */
  async function holdWindow() {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const web = await serveWeb({
      '/': (_request, response) => {
        begin();
        void released.then(() => response.end('<p>x'));
      },
    });
    const running = send(service, { url: `${web.url}/` });
    const refused = running.then(({ body }) => Promise.reject(new Error(body.toString())));
    await Promise.race([begun, refused]);
    refused.catch(() => {});
    return {
      running,
      release,
      async [Symbol.asyncDispose]() {
        release();
        await running;
        await web[Symbol.asyncDispose]();
      },
    };
  }

  test('is refused without credits when 1 MB of its upload has arrived', async () => {
    await using poor = await startService({ flags: ['--accounts', 'poor:key:0'] });
    const upload = new File([new Uint8Array(40_000_000)], 'page.html');
    let mostBytes = 0;
    const sampling = setInterval(
      () => (mostBytes = Math.max(mostBytes, bytesIn(join(poor.data, 'work')))),
      5,
    );
    const response = await send(poor, { file: upload, tag: 'unpaid' }, { authorization: basic('poor') });
    clearInterval(sampling);
    assert.match(response.body.toString(), /^403\.105 - /);
    assert.ok(mostBytes < 2_000_000, `${mostBytes} bytes`);
    assert.equal(bytesIn(join(poor.data, 'work')), 0);
  });

  test('fails with 400.306 and both sizes if its output is larger than max-output', async () => {
    const noise = `<body><script>
      const c = document.body.appendChild(document.createElement('canvas'));
      const x = c.getContext('2d'), d = x.createImageData(300, 150);
      crypto.getRandomValues(d.data.subarray(0, 65536));
      for (let i = 3; i < d.data.length; i += 4) d.data[i] = 255;
      x.putImageData(d, 0, 0)</script>`;
    for (const [format, what] of [
      ['pdf', 'document'],
      ['png', 'image'],
      ['tiff', 'image'],
    ] as const) {
      const { status, body } = await send(service, { text: noise, output_format: format });
      const message = `^400\\.306 - The ${what} would be 0\\.\\d\\d MB in size; the limit is 0\\.04 MB\\.`;
      assert.match(body.toString(), new RegExp(message), format);
      assert.equal(status, 400);
    }
    assert.equal(pdfText(await convert(service, { text: 'small' })), 'small');
  });

  test('fails with 400.312 if its unpacked archive is larger than archive-size', async () => {
    const bomb = htmlFile(new Uint8Array(gzipSync(Buffer.alloc(60_000_000, 32))), 'bomb.gz');
    assert.match(await refusal(service, { file: bomb }), /^400\.312 - /);
  });

  test('has a debug log if its upload is larger than max-upload, provided that debug_log comes before the limit is reached', async () => {
    const boundary = 'platen';
    const text = 'x'.repeat(200_000);
    const part = (name: string, value: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const bodies = {
      [`multipart/form-data; boundary=${boundary}`]: part('debug_log', '1') + part('text', text),
      'application/x-www-form-urlencoded': `debug_log=1&tag=t&text=${text}`,
    };
    for (const [type, body] of Object.entries(bodies)) {
      // Without a Content-Length, because the service immediately refuses a request whose declared length exceeds the limit.
      const pieces = new Blob([body]).stream();
      const headers = { authorization: demo, 'content-type': type };
      const sent = { method: 'POST', headers, body: pieces, duplex: 'half' } as RequestInit;
      const answer = await fetch(`${service.url}/convert/24.04/`, sent);
      assert.equal(answer.status, 413);
      const log = await fetch(answer.headers.get('x-service-debug-log') ?? '');
      assert.match(await log.text(), /Failed.*larger than 0\.1 MB/s);
    }
  });

  test('fails immediately with 503.503 if all windows are busy and the queue is full, and /ready responds with 503', async () => {
    await using holder = await holdWindow();
    // Sends the job again if it is refused, because a canary conversion may occupy the slot in the queue for a moment.
    let queued: Promise<ConversionResponse> | undefined;
    while ((await fetch(`${service.url}/ready`)).status !== 503) {
      queued ??= send(service, { text: 'x' }).finally(() => (queued = undefined));
      await pause(20);
    }
    const refused = await send(service, { text: 'x' });
    assert.match(refused.body.toString(), /^503\.503 - .*queue is full/);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    holder.release();
    assert.equal((await holder.running).status, 200);
    await queued;
    while ((await fetch(`${service.url}/ready`)).status === 503) await pause(20);
    assert.equal((await send(service, { text: 'x' })).status, 200);
  });

  test('fails with 503 and has a debug log if it waits longer than queue-timeout', async () => {
    await using holder = await holdWindow();
    const answer = await send(service, { text: 'x', debug_log: true });
    holder.release();
    assert.equal((await holder.running).status, 200);
    assert.equal(answer.status, 503);
    const { events } = await readDebugLog(answer);
    const failures = events.filter((event) => event.kind === 'failure');
    assert.deepEqual(
      failures.map(({ detail }) => detail),
      [{ status: 503, reason: 503, stage: 'wait for a window' }],
    );
    const wait = events.find((event) => event.kind === 'stage' && event.text === 'wait for a window');
    assert.equal(wait?.kind === 'stage' && wait.detail.ended, 'the only window was taken');
  });
});
