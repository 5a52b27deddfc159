import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { execFileSync } from 'node:child_process';
import { pageTexts } from '../../../../main/output/pdf-reader/page-texts.ts';
import { project } from '../../../support/service/service.ts';

const chapters = join(project, 'test/fixtures/chapters.pdf');

test('the text of each page, without whitespace, equals that of pdftotext', async () => {
  const texts = await pageTexts(readFileSync(chapters));
  const read = execFileSync('pdftotext', ['-raw', '-enc', 'UTF-8', chapters, '-'], { encoding: 'utf8' })
    .split('\f')
    .slice(0, -1);
  assert.ok(texts.join('').length > 20);
  assert.deepEqual(
    texts,
    read.map((text) => text.replace(/\s+/g, '')),
  );
});

test('bytes that are not a PDF throw an error', async () => {
  await assert.rejects(pageTexts(Buffer.from('no document')));
});
