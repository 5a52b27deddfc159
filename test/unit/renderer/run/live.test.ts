/** The live preview: when a run starts while the user types. */
import assert from 'node:assert/strict';
import { describe, mock, test, type TestContext } from 'node:test';
import { openLiveRuns } from '../../../../renderer/run/live.ts';

describe('the live preview', () => {
  test('starts one run after a short pause in typing', (context) => {
    const { live, started, pass } = openPreview(context);
    for (let key = 0; key < 10; key += 1) {
      live.onChange();
      pass(100);
    }
    assert.equal(started.length, 0);
    pass(50);
    assert.equal(started.length, 1);
    pass(10_000);
    assert.equal(started.length, 1);
  });

  test('cancels the current run, and starts the next run when the cancelled run has ended', async (context) => {
    const { live, started, pass } = openPreview(context);
    live.onChange();
    pass(150);
    live.onChange();
    pass(149);
    const cancelled = () => started.map((run) => run.cancelled);
    assert.deepEqual(cancelled(), [false]);
    pass(1);
    assert.deepEqual(cancelled(), [true]);
    await started[0]?.end();
    assert.deepEqual(cancelled(), [true, false]);
  });

  test('starts a single run for all changes during the end of a run', async (context) => {
    const { live, started, pass } = openPreview(context);
    live.onChange();
    pass(150);
    for (let change = 0; change < 5; change += 1) {
      live.onChange();
      pass(200);
    }
    await started[0]?.end();
    assert.equal(started.length, 2);
    await started[1]?.end();
    assert.equal(started.length, 2);
  });

  test('continues after a failed run', async (context) => {
    const { live, started, pass } = openPreview(context);
    live.onChange();
    pass(150);
    await started[0]?.fail();
    live.onChange();
    pass(150);
    assert.equal(started.length, 2);
  });

  test('starts no run after it is switched off', async (context) => {
    const { live, started, pass } = openPreview(context);
    live.onChange();
    pass(150);
    live.onChange();
    pass(150);
    live.onChange();
    live.stop();
    await started[0]?.end();
    pass(1000);
    assert.equal(started.length, 1);
  });
});

function openPreview(context: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => {
    mock.timers.reset();
  });
  const started: { cancelled: boolean; end: () => Promise<void>; fail: () => Promise<void> }[] = [];
  const start = () => {
    let resolve = () => {};
    let reject = (_: Error) => {};
    const promise = new Promise<void>((...settle) => ([resolve, reject] = settle));
    const settled = async () => {
      await promise.catch(() => {});
      await Promise.resolve();
      await Promise.resolve();
    };
    const run = {
      cancelled: false,
      end: () => (resolve(), settled()),
      fail: () => (reject(new Error('refused')), settled()),
    };
    started.push(run);
    return {
      ended: promise,
      cancel: () => {
        run.cancelled = true;
      },
    };
  };
  const pass = (milliseconds: number) => {
    mock.timers.tick(milliseconds);
  };
  return { live: openLiveRuns({ debounceMs: () => 150, start }), started, pass };
}
