import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { project } from '../../support/service/service.ts';

const built = join(project, '.build', 'renderer');
const assets = join(built, 'console', 'assets');

/** Returns whether a file is a chunk that loads only when a PDF is first shown or text is first edited. */
const isLazyChunk = (name: string) => /^(?:pdf|code-mirror)/.test(name);

test('the interface is below 1.5 MB without the PDF viewer and the editor', () => {
  const first = readdirSync(assets, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !isLazyChunk(entry.name),
  );
  const bytes = first.reduce((sum, { name }) => sum + statSync(join(assets, name)).size, 0);
  assert.ok(first.length > 1 && bytes > 100_000, 'the interface is not built');
  assert.ok(bytes < 1_500_000, `${bytes} bytes`);
});

test('index.html loads neither the PDF viewer nor the editor', () => {
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const loaded = [...page.matchAll(/(?:src|href)="[^"]*\/([^"/]+)"/g)].map(([, name = '']) => name);
  assert.ok(loaded.length > 0);
  assert.deepEqual(loaded.filter(isLazyChunk), []);
});
