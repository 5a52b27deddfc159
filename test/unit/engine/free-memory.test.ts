import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { freeInGroups, freeMemory, freeMemoryLately } from '../../../main/engine/free-memory.ts';

function folderWith(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'platen-groups-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return {
    root,
    [Symbol.dispose]: () => {
      rmSync(root, { recursive: true });
    },
  };
}

test(
  'the machine has some memory left, and no more than it has',
  { skip: process.platform === 'darwin' },
  () => {
    const free = freeMemory();
    assert.ok(
      free !== undefined && free > 0 && free <= totalmem(),
      `${free} of ${totalmem()}, ${freemem()} unused`,
    );
  },
);

test("a container's cache of files counts as free, and each group above it with its own limit", () => {
  using groups = folderWith({
    'a/memory.max': '1000\n',
    'a/memory.current': '900\n',
    'a/memory.stat': 'anon 300\nactive_file 200\ninactive_file 400\n',
    'a/b/memory.max': 'max\n',
    'a/b/memory.current': '900\n',
    'memory.stat': 'anon 1\n',
  });
  assert.deepEqual(freeInGroups(groups.root, '0::/a/b\n'), [700]);
});

test('the first version of control groups is read too, where its limit is one', () => {
  using groups = folderWith({
    'memory/memory.limit_in_bytes': '9223372036854771712\n',
    'memory/memory.usage_in_bytes': '5\n',
    'memory/c/memory.limit_in_bytes': '1000\n',
    'memory/c/memory.usage_in_bytes': '600\n',
    'memory/c/memory.stat': 'total_active_file 1\ntotal_inactive_file 99\n',
  });
  assert.deepEqual(freeInGroups(groups.root, '5:cpu,memory:/c\n1:name=systemd:/\n'), [500]);
});

test('where there are no groups, or a path that leads out of them, there is no limit', () => {
  using groups = folderWith({ 'memory.stat': '' });
  for (const said of ['', '0::/\n', '0::/../../x\n', 'nonsense'])
    assert.deepEqual(freeInGroups(groups.root, said), [], said);
});

test('what was free a moment ago is known without another look, and whoever must know it now has another', () => {
  const first = freeMemoryLately();
  assert.equal(freeMemoryLately(), first);
  if (first === undefined) return;
  const taken = Buffer.alloc(2e8, 1);
  assert.notEqual(freeMemoryLately(0), first, `${taken.length} bytes were taken`);
});
