import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { linkSignals, pause, unlessAborted } from '../../../main/async/signals.ts';

const reason = new Error('the caller disconnected');

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => {
  mock.timers.reset();
});

/** Returns Node's warnings when a hundred listeners are added to a signal. */
async function warningsFrom(listen: (signal: AbortSignal) => unknown): Promise<readonly Error[]> {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', onWarning);
  const { signal } = new AbortController();
  for (let turn = 0; turn < 100; turn += 1) void listen(signal);
  await new Promise(setImmediate);
  process.off('warning', onWarning);
  return warnings;
}

describe('unlessAborted', () => {
  test('settles like the promise', async () => {
    const { signal } = new AbortController();
    assert.equal(await unlessAborted(signal, Promise.resolve(5)), 5);
    await assert.rejects(unlessAborted(signal, Promise.reject(new Error('no'))), /no/);
  });

  test("rejects with the signal's reason immediately", async () => {
    const controller = new AbortController();
    const waiting = unlessAborted(controller.signal, new Promise(() => {}));
    controller.abort(reason);
    await assert.rejects(waiting, reason);
    await assert.rejects(unlessAborted(controller.signal, Promise.resolve(5)), reason);
  });

  test('handles a rejection that follows the abort', async () => {
    const controller = new AbortController();
    let fail = (_: Error) => {};
    const laterRejection = new Promise((_, reject) => (fail = reject));
    const waiting = unlessAborted(controller.signal, laterRejection);
    controller.abort(reason);
    await assert.rejects(waiting, reason);
    // An unhandled rejection fails this test.
    fail(new Error('late'));
    await new Promise(setImmediate);
  });

  test('leaves no listener on the signal of a long job', async () => {
    const { signal } = new AbortController();
    for (let turn = 0; turn < 20; turn += 1) await unlessAborted(signal, Promise.resolve(turn));
    await unlessAborted(signal, Promise.reject(new Error('no'))).catch(() => {});
    await new Promise(setImmediate);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});

test('a hundred promises may wait for one signal without a warning', async () => {
  assert.deepEqual(await warningsFrom((signal) => unlessAborted(signal, new Promise(() => {}))), []);
});

describe('a linked signal', () => {
  test('aborts with the reason of the first signal that aborts', () => {
    const first = new AbortController();
    const second = new AbortController();
    using linked = linkSignals([first.signal, second.signal]);
    assert.equal(linked.signal.aborted, false);
    second.abort(reason);
    first.abort(new Error('too late'));
    assert.equal(linked.signal.reason, reason);
  });

  test('is already aborted if one of its sources is', () => {
    using linked = linkSignals([new AbortController().signal, AbortSignal.abort(reason)]);
    assert.equal(linked.signal.reason, reason);
  });

  test('no longer aborts after it is disposed, and leaves no listeners', () => {
    const controller = new AbortController();
    const linked = linkSignals([controller.signal]);
    assert.equal(getEventListeners(controller.signal, 'abort').length, 1);
    linked[Symbol.dispose]();
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    controller.abort(reason);
    assert.equal(linked.signal.aborted, false);
  });

  test('causes no warning if a hundred are linked to the same source', async () => {
    assert.deepEqual(await warningsFrom((signal) => linkSignals([signal])), []);
  });
});

describe('a pause', () => {
  test('resolves after exactly its time', async () => {
    let over = false;
    const pausing = pause(1000, new AbortController().signal).then(() => (over = true));
    mock.timers.tick(999);
    await new Promise(setImmediate);
    assert.equal(over, false);
    mock.timers.tick(1);
    await pausing;
    assert.ok(over);
  });

  test("rejects with the signal's reason immediately", async () => {
    const controller = new AbortController();
    const pausing = pause(1e6, controller.signal);
    controller.abort(reason);
    await assert.rejects(pausing, reason);
    await assert.rejects(pause(0, controller.signal), reason);
  });
});
