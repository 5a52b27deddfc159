import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDrawingQueue } from '../../../../../renderer/viewer/pdf/drawing-queue.ts';
import type { DrawingPriority } from '../../../../../renderer/viewer/pages/sheets.ts';

const { signal } = new AbortController();

test('the visible page is drawn before thumbnails that were queued earlier', async () => {
  const queue = openDrawingQueue();
  const begun: string[] = [];
  const draw = (name: string, urgency: DrawingPriority) =>
    queue.add(
      () => {
        begun.push(name);
        return Promise.resolve();
      },
      { urgency, signal },
    );
  await Promise.all([
    draw('first', 'thumbnail'),
    draw('compared', 'comparison'),
    draw('second', 'thumbnail'),
    draw('page', 'page'),
  ]);
  assert.deepEqual(begun, ['first', 'page', 'second', 'compared']);
});

test('the queue draws one page at a time, and continues after a failed page', async () => {
  const queue = openDrawingQueue();
  let now = 0;
  let most = 0;
  const work = async () => {
    now += 1;
    most = Math.max(most, now);
    await Promise.resolve();
    now -= 1;
    throw new Error('broken page');
  };
  const drawings = [1, 2, 3].map(() => queue.add(work, { urgency: 'page', signal }));
  const outcomes = await Promise.allSettled(drawings);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.equal(most, 1);
});

test('a drawing that is aborted while it waits is not drawn', async () => {
  const queue = openDrawingQueue();
  const aborted = new AbortController();
  let release = () => {};
  const busy = queue.add(() => new Promise<void>((resolve) => (release = resolve)), {
    urgency: 'page',
    signal,
  });
  const unwanted = queue.add(() => assert.fail('the aborted drawing was drawn'), {
    urgency: 'page',
    signal: aborted.signal,
  });
  aborted.abort();
  await Promise.resolve();
  release();
  await busy;
  await assert.rejects(unwanted, { name: 'AbortError' });
});
