import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { callInPage } from '../../main/engine/devtools/evaluate.ts';
import type { Engine } from '../../main/engine/engine.ts';
import type { EngineWindow } from '../../main/engine/window/engine-window.ts';
import type { Source } from '../../main/input/source.ts';
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
