import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Engine } from '../../main/engine/engine.ts';
import { inspectPdf } from '../../main/output/pdf-reader/inspect-pdf.ts';
import { convertInside, startEngine } from '../support/service/engine.ts';

/** Prints three pages with margins of one inch; the second has this body. Returns whether the second page is blank. */
async function isBlank(engine: Engine, body: string, { head = '', viewport = 1024 } = {}): Promise<boolean> {
  const sheets = ['one', body, 'three'].map((sheet) => `<div style="break-after: page">${sheet}</div>`);
  const margins = { margin_top: 1, margin_right: 1, margin_bottom: 1, margin_left: 1 };
  const { bytes } = await convertInside(engine, `<style>${head}</style>${sheets.join('')}`, {
    ...margins,
    content_viewport_width: viewport,
  });
  const inspection = inspectPdf(bytes, { top: 1, right: 1, bottom: 1, left: 1 });
  assert.ok(!inspection.isBlank(0) && !inspection.isBlank(2));
  return inspection.isBlank(1);
}

describe('a printed page', () => {
  test('is blank if it shows only the background colour of the document, at any scale', async () => {
    await using engine = await startEngine();
    for (const viewport of [320, 1024, 4000])
      for (const head of ['', 'html { background: #def }', 'body { background: white; margin: 0 }'])
        assert.equal(await isBlank(engine, '', { head, viewport }), true, `${viewport} ${head}`);
  });

  test('is blank if it has only spaces, invisible text, white boxes or empty links', async () => {
    await using engine = await startEngine();
    const bodies = [
      '<p>&nbsp; &nbsp;</p>',
      '<pre>   </pre>',
      '<p style="visibility: hidden">words</p>',
      '<p style="color: transparent">words</p>',
      '<div style="background: white; height: 50vh; border-radius: 9px"></div>',
      '<a href="https://example.com/" style="display: block; height: 9px"></a>',
    ];
    for (const body of bodies) assert.equal(await isBlank(engine, body), true, body);
  });

  test('is not blank if it has a word, a line, a box, an image or a control', async () => {
    await using engine = await startEngine();
    const image = 'data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=';
    const bodies = [
      'x',
      '<hr>',
      '<div style="background: #eee; height: 9px"></div>',
      `<img src="${image}">`,
      '<input>',
      '<svg width="9" height="9"><path d="M0 0L9 9" stroke="red"/></svg>',
    ];
    for (const body of bodies)
      assert.equal(await isBlank(engine, body, { head: 'html { background: white }' }), false, body);
  });
});
