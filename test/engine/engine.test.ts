import assert from 'node:assert/strict';
import { test } from 'node:test';
import { app, webContents, type WebContents } from 'electron';
import pino from 'pino';
import { callInPage } from '../../main/engine/devtools/evaluate.ts';
import { HealthMonitor } from '../../main/engine/health/health-monitor.ts';
import { printContents } from '../../main/engine/window/electron-adapter.ts';
import type { EngineWindow } from '../../main/engine/window/engine-window.ts';
import { defaultLimits } from '../../main/input/archive/limits.ts';
import { prepareSource } from '../../main/input/prepare-source.ts';
import { convertInside, newRun, startEngine } from '../support/service/engine.ts';

const a4 = {
  paper: { width: 8.27, height: 11.69 },
  margins: { top: 0.4, right: 0.4, bottom: 0.4, left: 0.4 },
  scale: 1,
};

test('the engine prints again after a renderer was killed during a print', async () => {
  await using engine = await startEngine();
  const long = `<p>${'many words '.repeat(100_000)}</p>`;
  const run = newRun(long);
  const source = await prepareSource(run, defaultLimits);
  const killed = engine.withWindow(run, source, async (window) => {
    window.context.requests.open();
    await window.contents.loadURL(
      window.context.document.serve(source as Extract<typeof source, { kind: 'document' }>),
    );
    const print = window.print(a4);
    window.contents.forcefullyCrashRenderer();
    return print;
  });
  await assert.rejects(killed);
  const { bytes } = await convertInside(engine, '<p>after');
  assert.equal(bytes.toString('latin1', 0, 5), '%PDF-');
});

test('two windows print simultaneously without affecting each other', async () => {
  await using engine = await startEngine();
  const outputs = await Promise.all(
    Array.from({ length: 6 }, (_, n) => convertInside(engine, `<p style="break-after:page">one<p>${n}`)),
  );
  assert.deepEqual(
    outputs.map(({ pages }) => pages?.total),
    [2, 2, 2, 2, 2, 2],
  );
});

test('a window is replaced after windowJobs jobs, and the number of windows stays the same', async () => {
  await using engine = await startEngine({ windowJobs: 2, workers: 1 });
  const before = webContents.getAllWebContents().length;
  const seen = new Set<number>();
  for (let n = 0; n < 6; n += 1) {
    const run = newRun('<p>x');
    await engine.withWindow(run, await prepareSource(run, defaultLimits), (window) =>
      Promise.resolve(seen.add(window.contents.id)),
    );
  }
  assert.equal(seen.size, 3);
  const lastRun = newRun('<p>x');
  await engine.withWindow(lastRun, await prepareSource(lastRun, defaultLimits), () => Promise.resolve());
  assert.equal(webContents.getAllWebContents().length, before);
});

test('a window that replaces a crashed one uses the same session, because Electron never frees sessions', async () => {
  await using engine = await startEngine({ workers: 1 });
  const sessions = new Set<unknown>();
  const contents = new Set<unknown>();
  for (let n = 0; n < 5; n += 1) {
    const run = newRun('<p>x');
    await engine.withWindow(run, await prepareSource(run, defaultLimits), (window) => {
      sessions.add(window.context.session);
      contents.add(window.contents);
      window.contents.forcefullyCrashRenderer();
      window.brokenReason = 'crashed by the test';
      return Promise.resolve();
    });
  }
  assert.equal(contents.size, 5);
  assert.equal(sessions.size, 1);
  assert.equal((await convertInside(engine, '<p>x')).pages?.total, 1);
});

test('a page whose renderer is lost is retried once in another window', async () => {
  await using engine = await startEngine();
  const run = newRun('<p>x');
  const source = await prepareSource(run, defaultLimits);
  const windows: EngineWindow[] = [];
  const crash = (times: number) =>
    engine.withWindow(run, source, async (window, { signal }) => {
      windows.push(window);
      if (windows.length > times) return 'done';
      window.contents.forcefullyCrashRenderer();
      return new Promise<string>((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    });
  assert.equal(await crash(1), 'done');
  assert.notEqual(windows[0]?.contents, windows[1]?.contents);
  windows.length = 0;
  await assert.rejects(crash(2), { kind: 'rendererLost' });
  assert.equal((await convertInside(engine, '<p>x')).pages?.total, 1);
});

test('the message of a job timeout names the stage, and the next job gets a working window', async () => {
  await using engine = await startEngine({ jobTimeoutMs: 700, workers: 1 });
  await assert.rejects(convertInside(engine, '<script>for(;;);</script>'), {
    kind: 'timedOut',
    message: /0\.7 s was reached in the stage "load the page"/,
  });
  assert.equal((await convertInside(engine, '<script></script><p>x')).pages?.total, 1);
});

test('printing a document without scripts uses 1 frame per second; images and scripts use 60', async () => {
  await using engine = await startEngine();
  const rate = async (html: string, options = {}) => {
    const run = newRun(html, options);
    return engine.withWindow(run, await prepareSource(run, defaultLimits), ({ contents }) =>
      Promise.resolve(contents.frameRate),
    );
  };
  assert.equal(await rate('<p>x'), 1);
  assert.equal(await rate('<script></script>'), 60);
  assert.equal(await rate('<p>x', { output_format: 'png' }), 60);
  assert.equal(await rate('<p>x', { custom_javascript: '1' }), 60);
});

test('a document that was classified as static by mistake cannot run its scripts', async () => {
  await using engine = await startEngine();
  const run = newRun('<p>x');
  const source = {
    kind: 'document',
    bytes: Buffer.from('<p>x<script>document.title="ran"</script>'),
    contentType: 'text/html',
    scripts: false,
    path: 'index.html',
  } as const;
  const title = await engine.withWindow(run, source, async (window) => {
    window.context.requests.open();
    await window.contents.loadURL(window.context.document.serve(source));
    return window.contents.getTitle();
  });
  assert.notEqual(title, 'ran');
});

for (const [name, version] of [
  ['printToPDF', '45.4.1'],
  ['the private method of older versions', '33.2.1'],
] as const)
  test(`a page is printed through ${name}`, async () => {
    await using engine = await startEngine();
    const run = newRun('<p>x');
    const source = await prepareSource(run, defaultLimits);
    const bytes = await engine.withWindow(run, source, ({ contents }) => {
      const paper = { width: 5, height: 4 };
      const margins = { top: 0, right: 0, bottom: 0, left: 0 };
      const tags = { generateTaggedPDF: false, generateDocumentOutline: false };
      return printContents(contents, { paper, margins, scale: 1, printBackground: true, ...tags }, version);
    });
    assert.match(bytes.toString('latin1'), /\/MediaBox \[0 0 360 288\]/);
  });

test('windows are offscreen, with one device pixel for each CSS pixel', async () => {
  await using engine = await startEngine();
  const run = newRun('<p>x');
  const source = await prepareSource(run, defaultLimits);
  const found = await engine.withWindow(run, source, async ({ contents }) => ({
    isOffscreen: contents.isOffscreen(),
    ratio: await callInPage(contents, () => devicePixelRatio),
  }));
  assert.deepEqual(found, { isOffscreen: true, ratio: 1 });
});

test('no window is used again after replaceAllWindows()', async () => {
  await using engine = await startEngine({ workers: 1 });
  const run = newRun('<p>x');
  const source = await prepareSource(run, defaultLimits);
  const seen: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    await engine.withWindow(run, source, ({ contents }) => Promise.resolve(seen.push(contents.id)));
    engine.replaceAllWindows();
  }
  assert.equal(new Set(seen).size, 4, seen.join());
});

test('while no window can be opened, jobs fail with 503, and after eight failed canaries the service is unrecoverable', async () => {
  const faults: string[] = [];
  await using engine = await startEngine({
    workers: 1,
    windowJobs: 1,
    onFault: (why) => faults.push(why),
  });
  const failToLoad = (_event: unknown, contents: WebContents) => {
    contents.loadURL = () => Promise.reject(new Error('ERR_FAILED'));
  };
  app.on('web-contents-created', failToLoad);
  try {
    // With windowJobs 1, these jobs use up both windows that the engine opens at start: one for scripts and one without.
    await convertInside(engine, '<p>x');
    await convertInside(engine, '<p>x<script></script>');
    await assert.rejects(convertInside(engine, '<p>x'), { kind: 'unavailable', retryAfter: 5 });
    assert.deepEqual(faults, ['no window could be opened']);
    const outcomes: string[] = [];
    const message = await new Promise<string>((resolve) => {
      const health = new HealthMonitor({
        convertCanary: () => convertInside(engine, '<p>canary').then(() => {}),
        replaceAllWindows: () => {
          engine.replaceAllWindows();
        },
        log: pino({ level: 'silent' }),
        onRun: (outcome) => outcomes.push(outcome),
        onUnrecoverable: resolve,
        intervals: { minGapMs: 1, firstRetryMs: 1, maxRetryMs: 1 },
      });
      health.reportFault('a test');
    });
    assert.match(message, /8 times in a row: No window could be opened/);
    assert.deepEqual(new Set(outcomes), new Set(['failed']));
  } finally {
    app.off('web-contents-created', failToLoad);
  }
  assert.equal((await convertInside(engine, '<p>x')).pages?.total, 1);
});
