import assert from 'node:assert/strict';
import { test } from 'node:test';
import work from '../../../../main/output/finish/finisher-thread.ts';

test('a thread that keeps more than 300 MB reports this with the result of each task', async () => {
  const task = { repack: Buffer.from('no PNG') };
  const before = await work(task);
  const kept = new WebAssembly.Memory({ initial: 5000, maximum: 5000, shared: true });
  const after = await work(task);
  assert.equal(kept.buffer.byteLength, 5000 * 65_536);
  assert.deepEqual([before.hasGrown, after.hasGrown], [undefined, true]);
});
