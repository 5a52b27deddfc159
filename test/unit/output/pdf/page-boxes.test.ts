import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paperFromPageRules, type PageRules } from '../../../../main/job/page-rule-paper.ts';
import { boxesOfPages } from '../../../../main/output/pdf/page-boxes.ts';
import { planPrint } from '../../../../main/output/pdf/print-plan.ts';
import { optionsOf } from '../../job/forms.ts';

const size = [480, 480];
const empty = { margins: {}, important: [] };
const rules: PageRules = {
  rules: [
    { ...empty, selector: '', size },
    { ...empty, selector: 'cover', margins: { top: { pixels: 0, percent: 0 } } },
    { ...empty, selector: ':left', margins: { left: { pixels: 0, percent: 50 } } },
  ],
  firstPage: '',
  unreadable: 0,
  vertical: false,
  rightToLeft: false,
};

/** Returns the selectors of the boxes of pages with these widths in points. */
async function selectorsOf(widths: readonly number[], pageRules = rules): Promise<(string | undefined)[]> {
  const options = optionsOf({ header_html: 'x' });
  const ownPaper = paperFromPageRules(options, new Set(['header_html']), pageRules);
  assert.ok(ownPaper !== undefined);
  const page = { ownPaper, layoutWidth: 400 };
  const paperOf = (index: number) => ({ width: (widths[index] ?? 0) / 72, height: 5 });
  const found = await boxesOfPages(page, planPrint(options, page), { pages: widths.length, paperOf });
  return found?.map((box) => box?.selector) ?? [];
}

test('the box of a page follows from its position and its width, which Chromium rounds', async () => {
  assert.deepEqual(await selectorsOf([360, 360.24, 361.8, 362.24, 359.4]), [
    ':first',
    ':left',
    'cover:right',
    'cover:left',
    ':right',
  ]);
  assert.deepEqual(await selectorsOf([362, 360, 360], { ...rules, rightToLeft: true }), [
    'cover:first',
    ':right',
    ':left',
  ]);
});

test('a page of a width that no box has is not assigned to a box', async () => {
  assert.deepEqual(await selectorsOf([595]), [undefined]);
});
