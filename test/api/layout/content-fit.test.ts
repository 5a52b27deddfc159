/** Findings about content that is cut off on the right or shrunk to fit the paper. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { send } from '../../support/service/convert.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

describe('The debug log, for a page that does not fit the paper,', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  const finding = async (code: string, fields: Readonly<Record<string, string | boolean>>) => {
    const { findings } = await readDebugLog(await send(service, { ...fields, debug_log: true }));
    return findings.find((candidate) => candidate.code === code);
  };
  const wide = (width: number) =>
    `<body style="margin:0"><div style="background:red;width:${width}px">wide</div>`;

  test('reports that the right side is cut off without scaling, and the options that prevent this', async () => {
    const fields = { text: '<p>x', content_fit_mode: 'no-scaling', no_margins: true };
    const found = await finding('content-cut', fields);
    assert.match(found?.sentence ?? '', /shows 79[34] px of a layout 1024 px wide.*=balanced/);
    assert.deepEqual(found?.options, ['content_viewport_width', 'content_fit_mode']);
    const balanced = { ...fields, content_viewport_width: 'balanced' };
    assert.equal(await finding('content-cut', balanced), undefined);
    const cut = await finding('content-cut', { ...balanced, text: wide(900) });
    assert.match(cut?.sentence ?? '', /a layout 900 px wide.*omit content_fit_mode=no-scaling/);
    assert.equal(await finding('content-cut', { ...fields, page_width: '1024px' }), undefined);
  });

  for (const [what, fields, defaultWidth] of [
    ['smart-scaling', { content_fit_mode: 'smart-scaling' }, 1024],
    ['content-width', { content_fit_mode: 'content-width' }, 1024],
    ['balanced', { content_viewport_width: 'balanced', page_width: '800px', no_margins: true }, 800],
  ] as const)
    test(`reports by how much ${what} shrinks a page, except for a slight reduction`, async () => {
      const found = await finding('content-shrunk', { ...fields, text: wide(2 * defaultWidth) });
      const sentence = new RegExp(
        `laid out ${2 * defaultWidth} px wide instead of ${defaultWidth}, .* to 50 % of its size`,
      );
      assert.match(found?.sentence ?? '', sentence);
      assert.equal(await finding('content-shrunk', { ...fields, text: wide(defaultWidth + 100) }), undefined);
    });

  test('does not report a reduction that the options request', async () => {
    for (const fields of [
      { content_fit_mode: 'single-page', page_height: '2in' },
      { scale_factor: '40', content_fit_mode: 'smart-scaling' },
      { content_fit_mode: 'auto' },
    ])
      assert.equal(await finding('content-shrunk', { text: wide(1000), ...fields }), undefined);
  });
});
