/** One job more than `workers` starts early, while the window of a page with scripts settles or is cleaned. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine, EngineOptions } from '../../main/engine/engine.ts';
import { loadPage } from '../../main/engine/loading/load-page.ts';
import { defaultLimits } from '../../main/input/archive/limits.ts';
import { prepareSource } from '../../main/input/prepare-source.ts';
import { readHostPattern } from '../../main/network/policy.ts';
import { newRun, startEngine } from '../support/service/engine.ts';

interface Case extends Partial<EngineOptions> {
  readonly html?: string;
  /** Seconds to wait for idle windows to close. */
  readonly closeTimeout?: number;
}

/** Runs one job; `use` is called while the job has a window, and may load its page. */
async function convert(engine: Engine, html: string, use: (load: () => Promise<unknown>) => Promise<void>) {
  const run = newRun(html);
  const source = await prepareSource(run, defaultLimits);
  await engine.withWindow(run, source, (window, limited) => use(() => loadPage(window, source, limited)));
}

describe('while the window of a page with scripts settles or is cleaned, a queued job', () => {
  /**
   * Runs jobs in parallel. Returns the peak numbers of running jobs and of windows for pages with scripts, and the numbers of such
   * windows that are idle when the last job has ended and after `closeTimeout`.
   */
  async function runInParallel(
    jobs: number,
    { html = '<script>1</script>', closeTimeout = 0, ...options }: Case = {},
  ) {
    await using engine = await startEngine({ workers: 1, ...options });
    const peak = { jobs: 0, windows: 0 };
    let working = 0;
    const counted = () =>
      convert(engine, html, async (load) => {
        working += 1;
        const { dynamic } = engine.state.windows;
        peak.jobs = Math.max(peak.jobs, working);
        peak.windows = Math.max(peak.windows, dynamic.idle + dynamic.working);
        await load();
        working -= 1;
      });
    await Promise.all(Array.from({ length: jobs }, counted));
    while (engine.state.windows.dynamic.working > 0) await pause(5);
    const idleWindows = () => engine.state.windows.dynamic.idle;
    const atEnd = idleWindows();
    for (let seconds = 0; seconds < closeTimeout && idleWindows() > 1; seconds += 0.1) await pause(100);
    return { ...peak, atEnd, later: idleWindows() };
  }

  test('starts in another window, which closes after some time without use', async () => {
    const counts = { jobs: 2, windows: 2, atEnd: 2, later: 1 };
    assert.deepEqual(await runInParallel(6, { closeTimeout: 20 }), counts);
  });

  test('waits if opening another window would take longer', async () => {
    assert.deepEqual(await runInParallel(3), { jobs: 1, windows: 1, atEnd: 1, later: 1 });
  });

  test('waits if the machine is short of memory', async () => {
    const { jobs, windows } = await runInParallel(6, { memoryReserveBytes: 2, freeMemoryBytes: () => 1 });
    assert.deepEqual({ jobs, windows }, { jobs: 1, windows: 1 });
  });

  test('waits if the page still has pending requests', async () => {
    const received = { '/': 0, '/answered': 0 };
    const respond = async ({ url }: IncomingMessage, response: ServerResponse) => {
      received[url as keyof typeof received] += 1;
      while (received['/'] < received['/answered']) await pause(5);
      if (url === '/answered') response.end();
    };
    await using silent = createServer((request, response) => void respond(request, response));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const allow = [readHostPattern('127.0.0.1')].filter((pattern) => pattern !== undefined);
    const network = { rules: { policy: 'intranet' as const, allow, deny: [] } };
    // The second request gets its response when the server has received the first one, so the engine has counted it.
    const html = `<script>fetch('http://127.0.0.1:${port}/');
      const request = new XMLHttpRequest();
      request.open('GET', 'http://127.0.0.1:${port}/answered', false);
      try { request.send() } catch {}</script>`;
    const { jobs } = await runInParallel(6, { network, html });
    silent.closeAllConnections();
    assert.equal(jobs, 1);
  });
});

describe('a job that has released its slot', () => {
  /** Starts six jobs, and holds the first one after its page has loaded. `started.jobs` is the number of started jobs. */
  async function holdWindow(engine: Engine) {
    const started = { jobs: 0 };
    const release = new AbortController();
    const startJob = () =>
      convert(engine, '<script>1</script>', async (load) => {
        const isFirst = started.jobs === 0;
        started.jobs += 1;
        await load();
        if (isFirst) await once(release.signal, 'abort');
      });
    const all = Promise.allSettled(Array.from({ length: 6 }, startJob));
    while (started.jobs < 2) await pause(5);
    return { all, started, release };
  }

  test('is awaited at shutdown', async () => {
    await using engine = await startEngine({ workers: 1 });
    const { all, release } = await holdWindow(engine);
    engine.close();
    await pause(500);
    assert.equal(engine.state.working, 1);
    release.abort();
    const ends = (await all).map(({ status }) => status);
    assert.deepEqual(ends.slice(0, 2), ['fulfilled', 'fulfilled']);
    const working = () => engine.state.working;
    while (working() > 0) await pause(5);
  });

  test('still counts as running, so no further job starts while memory is short', async () => {
    const memory = { free: 2 };
    await using engine = await startEngine({
      workers: 1,
      memoryReserveBytes: 1,
      freeMemoryBytes: () => memory.free,
    });
    const { all, started, release } = await holdWindow(engine);
    memory.free = 0;
    await pause(700);
    assert.equal(started.jobs, 2);
    release.abort();
    assert.ok((await all).every(({ status }) => status === 'fulfilled'));
  });
});
