/** Findings about headers and footers that are wider than their area. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { send } from '../../support/service/convert.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

describe('The debug log of a footer', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  const logOf = async (style: string, scripts: string) => {
    const footer_html = `<body style="margin:0"><div style="${style}">wide</div>${scripts}</body>`;
    const log = await readDebugLog(await send(service, { text: 'x', footer_html, debug_log: true }));
    const clipped = log.findings.find(({ code }) => code === 'header-footer-clipped');
    return { clipped, event: log.events.find((event) => event.kind === 'header-footer') };
  };

  for (const scripts of ['', '<script>0</script>']) {
    const which = scripts === '' ? 'that runs no script' : 'that runs scripts';
    test(`${which} reports by how much the footer is too wide, and the option that scales it`, async () => {
      const { clipped, event } = await logOf('width:3000px;white-space:nowrap', scripts);
      const { content, place, width } = event?.detail ?? {};
      assert.equal(content, place);
      assert.deepEqual([width?.content.toFixed(2), width?.place.toFixed(2)], ['31.25', '7.47']);
      assert.match(
        clipped?.sentence ?? '',
        /^The footer is \d+ px \(23\.78in\) wider than its area and was cut; .* to 23 or less\.$/,
      );
      assert.deepEqual(clipped?.options, ['header_footer_scale_factor']);
    });

    test(`${which} reports no excess width if the footer fits, or hides its overflow with CSS`, async () => {
      for (const style of ['width:100%', 'overflow:hidden;white-space:nowrap;text-indent:2000px'])
        assert.equal((await logOf(style, scripts)).event, undefined, style);
    });
  }

  test('that extends beyond both sides with negative margins reports no excess width', async () => {
    assert.equal((await logOf('margin:0 -50px;background:red', '')).event, undefined);
  });
});
