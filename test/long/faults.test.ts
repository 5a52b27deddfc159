import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { convert, demo, refusal, send, type Fields } from '../support/service/convert.ts';
import { readDebugLog } from '../support/debug-log/debug-log.ts';
import { readExposition } from '../support/service/exposition.ts';
import { get } from '../support/service/job-record.ts';
import { pdfText } from '../support/output/pdf.ts';
import { isNear, readImage } from '../support/output/image.ts';
import {
  commandOf,
  descendantsOf,
  electronOf,
  isAlive,
  largestRenderer,
  processesOf,
  socketsOf,
  waitForExit,
} from '../support/service/processes.ts';
import { waitForStderr } from '../support/service/wait-for-log.ts';
import { startService, type Service } from '../support/service/service.ts';
import { serveWeb, type Routes, type WebServer } from '../support/servers/web-server.ts';

/** In bytes. Each page allocates more than the previous page, whose memory may not be freed yet. */
let size = 1e8;

/** Returns a script that allocates so much memory that its renderer is the largest. */
function enlarge(): string {
  size += 3e7;
  return `globalThis.large ??= new Uint8Array(${size}).fill(1);`;
}

/** Returns a script that sends a request and blocks until it gets the response. */
function ask(web: Pick<WebServer, 'url'>, path: string): string {
  return `const asking = new XMLHttpRequest(); asking.open('GET', '${web.url}${path}', false); try { asking.send() } catch {};`;
}

/** Returns the scripts of `enlarge` and `ask`. */
function enlargeAndAsk(web: Pick<WebServer, 'url'>, path: string): string {
  return enlarge() + ask(web, path);
}

/** The value of `ended` in the debug log for a stage that failed or was aborted. */
const cutOff = 'not finished: it failed or was aborted';

/** A page with a red area above a blue area. */
const striped = `<body style="margin:0"><div style="height:600px;background:#f00"></div><div style="height:600px;background:#00f"></div>`;

describe('A service with browser faults', () => {
  let service: Service;
  let web: WebServer;
  /** Functions that cause a fault, by path. Each runs when a page requests the path, before the response. */
  const faults = new Map<string, () => void | Promise<void>>();
  const faultRoute = (path: string): Routes => ({
    [path]: (_request, response) => void Promise.resolve(faults.get(path)?.()).then(() => response.end()),
  });
  before(async () => {
    web = await serveWeb({
      ...faultRoute('/script'),
      ...faultRoute('/print'),
      ...faultRoute('/capture'),
      '/page': '<p>allowed',
      '/never': () => {},
    });
    const flags = ['--job-timeout', '15', '--workers', '2', '--network-allow', `127.0.0.1:${web.port}`];
    service = await startService({ flags });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
  });

  const works = async () => {
    assert.equal(pdfText(await convert(service, { text: 'alive' })), 'alive');
    assert.equal(
      pdfText(await convert(service, { text: '<script>document.write("alive")</script>' })),
      'alive',
    );
    const image = await readImage(
      await convert(service, { text: striped, output_format: 'png', screenshot_width: 400 }),
    );
    for (const y of [5, 300, 595]) assert.ok(isNear(image.at(200, y), [255, 0, 0]), `red at ${y}`);
    for (const y of [605, 900, 1195]) assert.ok(isNear(image.at(200, y), [0, 0, 255]), `blue at ${y}`);
  };
  const inScript: Fields = {
    get text() {
      return `<p>page<script>onload = () => { ${enlargeAndAsk(web, '/script')} }</script>`;
    },
  };

  test('converts a page although all renderers are killed, including those of idle windows', async () => {
    for (let round = 0; round < 6; round += 1) {
      await works();
      let times = 0;
      faults.set('/script', () => {
        if (times++ === 0) for (const pid of processesOf(service, 'renderer')) process.kill(pid, 'SIGKILL');
      });
      assert.equal(pdfText(await convert(service, inScript)), 'page');
    }
  });

  for (const signal of ['SIGSEGV', 'SIGKILL'] as const)
    test(`retries a page in another window after its renderer gets ${signal}, without affecting another job`, async () => {
      let times = 0;
      faults.set('/script', () => {
        if (times++ === 0) process.kill(largestRenderer(service), signal);
      });
      const neighbour = convert(service, { text: '<p>neighbour<script></script>', javascript_delay: 1000 });
      assert.equal(pdfText(await convert(service, inScript)), 'page');
      assert.equal(pdfText(await neighbour), 'neighbour');
      assert.equal(times, 2);
      await works();
    });

  test('refuses a page that loses its renderer twice with 400.326', async () => {
    let last = 0;
    faults.set('/script', async () => {
      if (last !== 0) await waitForExit(last);
      last = largestRenderer(service);
      process.kill(last, 'SIGSEGV');
    });
    assert.match(await refusal(service, inScript), /^400\.326 - /);
    await works();
  });

  /**
   * A page that requests /capture about `delay` milliseconds after its capture starts. During a capture, the page runs no script,
   * so its worker gets no more messages and then sends the request.
   */
  const captured = (delay: number): Fields => ({
    text: `<div style="height:3800px;background:linear-gradient(red,blue)">${'page '.repeat(4000)}</div><script>
      const workerCode = \`${enlarge()} postMessage(0); let late;
        onmessage = () => { clearTimeout(late); late = setTimeout(() => { ${ask(web, '/capture')} }, ${20 + delay}) }\`;
      const worker = new Worker(URL.createObjectURL(new Blob([workerCode])));
      worker.onmessage = () => { document.body.id = 'ready'; setInterval(() => worker.postMessage(0), 4) }</script>`,
    wait_until: 'loaded',
    // The worker needs more time for its allocation on a slow machine.
    wait_for_element: '#ready',
    output_format: 'png',
    debug_log: true,
  });

  test('keeps running if a renderer is killed during a capture', async () => {
    let last = 0;
    faults.set('/capture', async () => {
      if (last !== 0) await waitForExit(last);
      last = largestRenderer(service);
      process.kill(last, 'SIGKILL');
    });
    let lost = 0;
    for (const delay of [0, 10, 30, 100, 300, 0, 20, 50, 150, 500]) {
      if (lost > 1) break;
      const { events } = await readDebugLog(await send(service, captured(delay)));
      lost += events.filter(
        (event) => event.kind === 'stage' && event.text === 'capture' && event.detail.ended === cutOff,
      ).length;
    }
    assert.ok(lost > 0, 'no renderer was killed during its capture');
    await works();
  });

  const ends = /^400\.323 - .* in the stage "(.+)"/;
  const stopIn = (path: string) => {
    const stopped = { pid: 0 };
    faults.set(path, () => {
      if (stopped.pid !== 0) return;
      stopped.pid = largestRenderer(service);
      process.kill(stopped.pid, 'SIGSTOP');
    });
    return stopped;
  };
  const pageThatRequestsAt = (event: string, path: string): Fields => ({
    text: `<p>page<script>${event} = () => { ${enlargeAndAsk(web, path)} }</script>`,
  });

  for (const [where, path, stage, page] of [
    ['a script', '/script', 'load the page', () => pageThatRequestsAt('onload', '/script')],
    ['a print', '/print', 'print', () => pageThatRequestsAt('onbeforeprint', '/print')],
    ['a capture', '/capture', 'capture', (attempt: number) => captured([40, 10, 80, 0][attempt] ?? 0)],
  ] as const)
    test(`ends a renderer that hangs in ${where} at the job timeout, and runs the next job immediately`, async () => {
      const stages: (string | undefined)[] = [];
      // Retried, because on a busy machine the largest renderer may be that of an earlier page, and the capture may be over too
      // soon.
      for (let attempt = 0; attempt < 4 && !stages.includes(stage); attempt += 1) {
        const stopped = stopIn(path);
        const answer = await send(service, page(attempt));
        stages.push(ends.exec(answer.body.toString('latin1'))?.[1]);
        if (answer.status !== 200) await waitForExit(stopped.pid);
        else if (isAlive(stopped.pid)) process.kill(stopped.pid, 'SIGCONT');
      }
      assert.ok(stages.includes(stage), `no renderer was stopped in ${where}: ${stages.join(', ')}`);
      await works();
    });

  test('passes no socket of the browser to child processes, which would hide the end of a process', () => {
    const programs = descendantsOf(electronOf(service)).filter((pid) => commandOf(pid).startsWith('/bin/sh'));
    assert.ok(programs.length > 0);
    // The descriptors 0 to 2 are the standard streams.
    const sockets = programs.flatMap(socketsOf).filter((descriptor) => descriptor > 2);
    assert.deepEqual(sockets, []);
  });

  test('creates complete images however often the GPU process ends', async () => {
    const [electron] = processesOf(service, 'renderer');
    assert.ok(electron !== undefined);
    const text = `${striped}<script>onload = () => { ${enlargeAndAsk(web, '/script')} }</script>`;
    let times = 0;
    faults.set('/script', () => {
      if (times++ < 2) for (const pid of processesOf(service, 'gpu-process')) process.kill(pid, 'SIGKILL');
    });
    const image = await readImage(
      await convert(service, { text, output_format: 'png', screenshot_width: 400 }),
    );
    assert.ok(isNear(image.at(200, 300), [255, 0, 0]) && isNear(image.at(200, 900), [0, 0, 255]));
    assert.equal(times, 3, 'the job was not retried after each end of the GPU process');
    // By default, Chromium exits when its GPU process crashes for the sixth time.
    for (let killed = 0; killed < 7; killed += 1) {
      for (const pid of processesOf(service, 'gpu-process')) process.kill(pid, 'SIGKILL');
      await works();
    }
    assert.equal(service.process.exitCode, null);
  });

  test('reloads a page that loses its network process, and still enforces the network policy', async () => {
    await using canary = await serveWeb({ '/': '<p>canary' });
    let requests = 0;
    await using site = await serveWeb({
      '/': (_request, response) => {
        // The first request gets no response.
        if (requests++ > 0) response.end('<p>site');
        else for (const pid of processesOf(narrow, 'network')) process.kill(pid, 'SIGKILL');
      },
    });
    const flags = ['--job-timeout', '20', '--network-allow', `127.0.0.1:${site.port}`];
    await using narrow = await startService({ flags });
    assert.equal(pdfText(await convert(narrow, { url: site.url })), 'site');
    assert.equal(requests, 2);
    for (let round = 0; round < 3; round += 1) {
      const text = `<p>page<img src="${canary.url}/x.png"><script>document.cookie = 'a=1'; fetch('${canary.url}/')</script>`;
      const [outside, inside, uploaded] = await Promise.all([
        refusal(narrow, { url: canary.url }),
        convert(narrow, { url: site.url }),
        convert(narrow, { text }),
      ]);
      assert.match(outside, /^400\.322 - /);
      assert.deepEqual([pdfText(inside), pdfText(uploaded)], ['site', 'page']);
    }
    assert.deepEqual(canary.requestedPaths, []);
  });

  test('is ready, and its canary conversions succeed again', { timeout: 120_000 }, async () => {
    let passed = 0;
    while (passed === 0) {
      const metrics = readExposition(await (await get(service, '/metrics', demo)).text());
      // One canary conversion may have failed, if the GPU process was killed during its capture.
      passed = metrics.sum('platen_canary_runs_total', { outcome: 'passed' });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    assert.equal((await get(service, '/ready', '')).status, 200);
    assert.ok(isAlive(service.process.pid ?? 0));
  });

  test('writes only JSON lines to its log, without messages of Chromium', () => {
    const lines = service.log().trimEnd().split('\n');
    assert.ok(lines.length > 10);
    for (const line of lines) assert.doesNotThrow(() => JSON.parse(line) as unknown, line);
  });
});

test('a page that uses up its memory fails with 400.306 without a retry, and its debug log marks the last stage as not finished', async () => {
  await using service = await startService({ flags: ['--workers', '1', '--job-timeout', '5m'] });
  // Filling the JavaScript heap (4 GB) takes up to a minute on a slow machine.
  const eat = 'const a = []; for (;;) a.push(new Array(1e7).fill(Math.random()))';
  const text = `<script>onload = () => setTimeout(() => { ${eat} }, 1000)</script>`;
  const answer = await send(service, { text, javascript_delay: 200_000, debug_log: true });
  assert.match(answer.body.toString(), /^400\.306 - .*memory/);
  assert.equal(await waitForStderr(service, /"why":"oom"/), 1);
  const last = (await readDebugLog(answer)).events.filter((event) => event.kind === 'stage').at(-1);
  assert.deepEqual([last?.text, last?.detail.ended], ['wait until the page has settled', cutOff]);
  assert.equal(pdfText(await convert(service, { text: 'alive' })), 'alive');
});

test('a page that exceeds page-memory fails with 400.306, and does not affect a concurrent job', async () => {
  await using service = await startService({ flags: ['--workers', '2', '--page-memory', '600MB'] });
  // Memory outside the JavaScript heap counts for the page, also that of its frames and workers.
  const eat = 'const all = []; setInterval(() => all.push(new Uint8Array(5e7).fill(1)), 20)';
  const worker = `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(eat)}])))`;
  const neighbour = convert(service, { text: '<p>neighbour<script></script>', javascript_delay: 3000 });
  for (const text of [
    `<script>${eat}</script>`,
    `<iframe srcdoc="<script>${eat}</script>"></iframe>`,
    `<script>${worker}</script>`,
  ]) {
    const message = await refusal(service, { text, javascript_delay: 20_000 });
    assert.match(message, /^400\.306 - .*memory/);
  }
  assert.equal(pdfText(await neighbour), 'neighbour');
});

test('a service that is short of memory is not ready, and converts one job at a time', async () => {
  await using service = await startService({ flags: ['--workers', '2', '--memory-reserve', '900000GB'] });
  const ready = await get(service, '/ready', '');
  assert.deepEqual(
    [ready.status, ((await ready.json()) as { reason: string }).reason],
    [503, 'the machine is short of memory'],
  );
  const texts = ['one', 'two', 'three'];
  const outputs = await Promise.all(texts.map((text) => convert(service, { text })));
  assert.deepEqual(
    outputs.map((output) => pdfText(output)),
    texts,
  );
});
