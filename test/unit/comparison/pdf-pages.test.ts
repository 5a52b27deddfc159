import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { openPdfPages } from '../../../main/comparison/pdf-pages.ts';

test('a page is drawn after another one was too large for the memory', async () => {
  const document = await openPdfPages(await pdfOf(['A']));
  await assert.rejects(document.draw(1, 100), /memory/);
  const { width, height } = await document.draw(1, 1);
  assert.deepEqual([width, height], [300, 200]);
});

test('words are separated at spaces and lines, and have positions from the upper left corner', async () => {
  const document = await openPdfPages(await pdfOf(['First line', 'second']));
  const { words } = await document.textOf(1);
  assert.deepEqual(
    words.map(({ text, page, x, y }) => [text, page, Math.round(x), Math.round(y)]),
    [
      ['First', 1, 20, 40],
      ['line', 1, 47, 40],
      ['second', 1, 20, 60],
    ],
  );
});

test('a word that is hyphenated at the end of a line is one word', async () => {
  const document = await openPdfPages(await pdfOf(['A conver-', 'sion of well-known pages']));
  const { words } = await document.textOf(1);
  assert.deepEqual(
    words.map(({ text }) => text),
    ['A', 'conversion', 'of', 'well-known', 'pages'],
  );
});

async function pdfOf(lines: readonly string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([300, 200]);
  for (const [index, line] of lines.entries())
    page.drawText(line, { x: 20, y: 160 - 20 * index, size: 12, font });
  return document.save();
}
