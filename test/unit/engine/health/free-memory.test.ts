import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import {
  freeInGroups,
  freeMemory,
  freeOnMac,
  recentFreeMemory,
} from '../../../../main/engine/health/free-memory.ts';

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
  'the free memory is above zero and at most the memory of the machine',
  { skip: process.platform === 'darwin' },
  () => {
    const free = freeMemory();
    assert.ok(
      free !== undefined && free > 0 && free <= totalmem(),
      `${free} of ${totalmem()}, ${freemem()} unused`,
    );
  },
);

test('the page cache of a container counts as free, and control groups without a limit are ignored', () => {
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

test('the limits of cgroup version 1 are read, and the huge limit that means "no limit" is ignored', () => {
  using groups = folderWith({
    'memory/memory.limit_in_bytes': '9223372036854771712\n',
    'memory/memory.usage_in_bytes': '5\n',
    'memory/c/memory.limit_in_bytes': '1000\n',
    'memory/c/memory.usage_in_bytes': '600\n',
    'memory/c/memory.stat': 'total_active_file 1\ntotal_inactive_file 99\n',
  });
  assert.deepEqual(freeInGroups(groups.root, '5:cpu,memory:/c\n1:name=systemd:/\n'), [500]);
});

test('a missing control group, or a path outside the groups, means no limit', () => {
  using groups = folderWith({ 'memory.stat': '' });
  for (const groupFile of ['', '0::/\n', '0::/../../x\n', 'nonsense'])
    assert.deepEqual(freeInGroups(groups.root, groupFile), [], groupFile);
});

test('a recent measurement of the free memory is reused unless a new one is requested', () => {
  const first = recentFreeMemory();
  assert.equal(recentFreeMemory(), first);
  if (first === undefined) return;
  const allocated = Buffer.alloc(2e8, 1);
  assert.notEqual(recentFreeMemory(0), first, `${allocated.length} bytes were allocated`);
});

test('on macOS, memory that can be reclaimed counts as free; without Electron it is unknown', () => {
  const getSystemMemoryInfo = () => ({ total: 16_000, free: 100, fileBacked: 2000, purgeable: 30 });
  assert.equal(freeOnMac({ getSystemMemoryInfo }), 2130 * 1024);
  assert.equal(freeOnMac({ getSystemMemoryInfo: () => ({ free: 100 }) }), undefined);
  assert.equal(freeOnMac({}), undefined);
});
