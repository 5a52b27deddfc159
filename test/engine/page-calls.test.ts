import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { callInPage, runInFrames } from '../../main/engine/devtools/evaluate.ts';
import { executeJavaScript } from '../../main/engine/devtools/page-calls.ts';
import type { Engine } from '../../main/engine/engine.ts';
import type { EngineWindow } from '../../main/engine/window/engine-window.ts';
import type { Source } from '../../main/input/source.ts';
import { openTwoSites } from '../support/servers/two-sites.ts';
import { startEngine, newRun } from '../support/service/engine.ts';

describe('a finished job is released from memory with its document', () => {
  test('even if its page lost its renderer and never replied', async () => {
    await using engine = await startEngine();
    const document = await callWithoutReply(engine, ({ contents }) => {
      contents.forcefullyCrashRenderer();
    });
    await assertGone(document);
  });

  test('even if its page navigated away and never replied', async () => {
    await using engine = await startEngine();
    const document = await callWithoutReply(engine, async ({ contents }) => {
      await contents.loadURL('about:blank');
    });
    await assertGone(document);
  });

  test('even if its page does not reply before the job timeout', async () => {
    await using engine = await startEngine({ jobTimeoutMs: 2000 });
    const document = await callWithoutReply(engine, () => new Promise(() => {}));
    await assertGone(document);
  });
});

test('an answer of a frame is small, however the frame changes built-in functions', async () => {
  await using web = await openTwoSites({ '/': () => '<iframe srcdoc="text"></iframe>' }, { workers: 1 });
  await web.visit(`${web.here}/`, async ({ contents: { mainFrame } }) => {
    const answers = async (code: string) => await runInFrames(mainFrame, code);
    assert.deepEqual(await answers("({ list: [1, 'two'], none: null, inner: { is: true } })"), [
      { list: [1, 'two'], none: null, inner: { is: true } },
    ]);
    await answers(
      `void (Object.prototype.then = Array.prototype.then = (answer) => answer('x'.repeat(1e7)))`,
    );
    await answers(`void [0, 1].forEach((index) => Object.defineProperty(Array.prototype, index, {
      set() { Object.defineProperty(this, index, { value: 'x'.repeat(1e7), enumerable: true }); } }))`);
    assert.deepEqual(await answers("(() => { throw 'x'.repeat(1e7) })()"), [null]);
    await answers('void (Array.prototype.slice = Array.prototype.map = () => [...Array(1e6).keys()])');
    for (const code of [
      "'x'.repeat(1e7)",
      "['x'.repeat(1e7)]",
      'Promise.resolve({})',
      '[...Array(1e6).keys()]',
    ])
      assert.ok(JSON.stringify(await answers(code)).length < 300_000, code);
  });
});

test('an answer of the main frame whose size cannot be seen is not sent to the service', async () => {
  await using web = await openTwoSites({ '/': () => '<p>text' }, { workers: 1 });
  await web.visit(`${web.here}/`, async ({ contents }) => {
    for (const code of [
      'new Map(Array.from({ length: 1e6 }, (_, n) => [n, n]))',
      "({ list: [new Set(['x'.repeat(1e7)])] })",
      '2n ** 1000000n',
      "Object.assign(new Error('x'.repeat(1e7)), { cause: 1 })",
    ])
      await assert.rejects(executeJavaScript(contents, code), { kind: 'tooComplex' }, code);
    await assert.rejects(
      executeJavaScript(contents, "throw new Error('x'.repeat(1e7))"),
      ({ message }: Error) => message.length <= 1000,
    );
    assert.deepEqual(await executeJavaScript(contents, '({ list: [1, null], text: "a" })'), {
      list: [1, null],
      text: 'a',
    });
  });
});

/** Calls a function that never returns in a page, and runs `meanwhile`. Returns a weak reference to the document of the job. */
async function callWithoutReply(
  engine: Engine,
  meanwhile: (window: EngineWindow) => Promise<void> | void,
): Promise<WeakRef<object>> {
  const run = newRun('<p>text');
  const bytes = Buffer.alloc(1_000_000);
  const source: Source = {
    kind: 'document',
    bytes,
    contentType: 'text/html',
    path: 'index.html',
    scripts: true,
  };
  await engine
    .withWindow(run, source, async (window) => {
      const answer = callInPage(window.contents, () => new Promise(() => {}));
      void answer.then(() => bytes);
      await meanwhile(window);
    })
    .catch(() => {});
  return new WeakRef(bytes);
}

async function assertGone(object: WeakRef<object>): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 50 && object.deref() !== undefined; turn += 1) {
    // The target of a WeakRef stays alive until the current turn of the event loop ends.
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  assert.equal(object.deref(), undefined);
}
