import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { assertRefused, startUnpacker, type Unpacker } from '../../../support/archives/archive-worker.ts';
import type { ArchiveLimits } from '../../../../main/input/archive/limits.ts';
import { bzip2Bomb, bzip2Crumbs } from '../../../support/archives/bzip2-writer.ts';
import { zip } from '../../../support/archives/zip-writer.ts';

let unpacker: Unpacker;
before(() => {
  unpacker = startUnpacker();
});
after(() => {
  unpacker[Symbol.dispose]();
});

/** Limits so high that an archive can take seconds to decode. */
const endless = { bytes: 1e12, ratio: 1e9 };

test('an abort during decoding stops all writes and fails with the reason of the abort', async () => {
  const reason = new Error('the caller has gone');
  const aborting = new AbortController();
  let folder = '';
  const running = unpacker.unpack(bzip2Bomb(500), {
    limits: endless,
    signal: aborting.signal,
    onFolder: (path) => (folder = path),
  });
  while (sizes(folder).length === 0) await pass(20);
  aborting.abort(reason);
  const { error } = await running;
  assert.equal(error, reason);
  const before = sizes(folder);
  await pass(200);
  assert.deepEqual(sizes(folder), before, 'the worker still writes');
});

test('an archive is not unpacked if the signal is already aborted', async () => {
  const reason = new Error('gone before');
  const { error, folder } = await unpacker.unpack(zip([{ name: 'a.html' }]), {
    signal: AbortSignal.abort(reason),
  });
  assert.equal(error, reason);
  assert.deepEqual(readdirSync(folder), []);
});

test('the main thread is free while an archive is decoded', async () => {
  const running = unpacker.unpack(bzip2Bomb(60));
  let longest = 0;
  for (let last = Date.now(), turn = 0; turn < 40; turn += 1) {
    await pass(10);
    longest = Math.max(longest, Date.now() - last);
    last = Date.now();
  }
  await running;
  assert.ok(longest < 250, `blocked for ${longest} ms`);
});

test('the decoding of an archive ends at its time limit', async () => {
  const { error, milliseconds } = await unpacker.unpack(bzip2Crumbs(60_000), { limits: { timeoutMs: 1000 } });
  assert.match(String(error), /takes longer than 1 s to unpack/);
  // Without the limit it would take minutes.
  assert.ok(milliseconds < 10_000, `took ${milliseconds} ms`);
});

test('each limit of an archive is configurable', async () => {
  const three = zip([{ name: 'a/b.html', contents: 'x'.repeat(100) }, { name: 'c.html' }]);
  const errorFor = async (limits: Partial<ArchiveLimits>): Promise<string> =>
    String((await unpacker.unpack(three, { limits })).error);
  assert.match(await errorFor({ entries: 1 }), /more than 1 files/);
  assert.match(await errorFor({ unpackedBytes: 99 }), /unpacks to more than 0 MB/);
  assert.match(await errorFor({ ratio: 0.1, ratioFrom: 50 }), /more than 0.1 times/);
  assert.match(await errorFor({ depth: 0 }), /more than 0 folders deep/);
  assert.match(await errorFor({ nameBytes: 5 }), /longer than 5 bytes/);
});

test('files outside the folder of the job are neither created nor overwritten', async () => {
  const { outsideFiles } = await unpacker.unpack(zip([{ name: 'a.html' }]));
  assert.deepEqual(outsideFiles, ['a', 'a/b', 'a/b/job', 'upload']);
  await assertRefused(unpacker, zip([{ name: '../../../upload', contents: 'x' }]), /in its path/);
});

function sizes(folder: string): string[] {
  return readdirSync(folder).map((name) => `${name}: ${statSync(join(folder, name)).size}`);
}
