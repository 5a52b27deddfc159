import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { keepOnDisk } from '../../../main/conversion/waiting-source.ts';
import type { Source } from '../../../main/input/source.ts';
import { temporaryFolder } from '../../support/service/service.ts';

const document = {
  kind: 'document',
  contentType: 'text/html',
  path: 'index.html',
  scripts: true,
  headerFooter: {},
} as const;

test('a large document is in the folder of its job while it waits, and whole afterwards', async () => {
  const path = temporaryFolder();
  const folder = { path: () => path };
  const bytes = Buffer.alloc(2_000_001, 'x');
  const { waiting, whole } = await keepOnDisk({ ...document, bytes } satisfies Source, folder);
  assert.ok(waiting.kind === 'document' && waiting.bytes.length === 0);
  for (const source of [await whole(), await whole()]) assert.deepEqual(source, { ...document, bytes });
  assert.equal((await readdir(path)).length, 1);
  await rm(path, { recursive: true });
});

test('a short document stays in memory', async () => {
  const folder = { path: () => assert.fail('no folder is needed') };
  const source: Source = { ...document, bytes: Buffer.from('<p>x') };
  const { waiting, whole } = await keepOnDisk(source, folder);
  assert.equal(waiting, source);
  assert.equal(await whole(), source);
});
