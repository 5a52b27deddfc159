import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planPrint } from '../../../../main/output/pdf/print-plan.ts';
import { optionsOf } from '../../job/forms.ts';

const near = (actual: number, expected: number) =>
  Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
const isWhole = (inches: number) => near(inches * 72, Math.round(inches * 72));

test('a layout 1024 pixels wide is scaled to fill the print area of A4 with the default margins', () => {
  const { settings, scale, placement } = planPrint(optionsOf(), { layoutWidth: 1024 });
  assert.equal(placement, undefined);
  assert.ok(near(scale, ((210 / 25.4 - 0.8) * 96) / 1024) && settings.scale === scale);
  assert.deepEqual(settings.margins, { top: 0.4, right: 0.4, bottom: 0.4, left: 0.4 });
});

test("for any paper and layout, the print stays within Chromium's limits and the page gets its size, margins and scale", () => {
  const inches = fc.integer({ min: 200, max: 15_000 }).map((hundredths) => hundredths / 100);
  const margin = fc.integer({ min: 0, max: 90 }).map((hundredths) => hundredths / 100);
  fc.assert(
    fc.property(
      inches,
      inches,
      margin,
      fc.integer({ min: 96, max: 65_000 }),
      (width, height, side, pixels) => {
        const margins = {
          margin_left: `${side}in`,
          margin_right: '0',
          margin_top: '0.5in',
          margin_bottom: '0.25in',
        };
        const options = optionsOf({ page_width: `${width}in`, page_height: `${height}in`, ...margins });
        const { settings, scale, placement } = planPrint(options, { layoutWidth: pixels });
        assert.ok(settings.scale >= 0.1 && settings.scale <= 2);
        assert.ok(near((pixels * scale) / 96, width - side));
        if (placement === undefined) {
          assert.deepEqual(settings, {
            paper: { width, height },
            margins: { top: 0.5, right: 0, bottom: 0.25, left: side },
            scale,
          });
          return;
        }
        const { scale: factor, paper, left, bottom } = placement;
        assert.deepEqual([paper, left], [{ width, height }, side]);
        assert.ok(isWhole(settings.paper.width) && isWhole(settings.paper.height), 'paper in whole points');
        assert.ok(near(settings.paper.width * factor, width - side), 'fills the width');
        assert.ok(near(settings.paper.height * factor + bottom + 0.5, height), 'begins at the upper margin');
        assert.ok(
          bottom > 0.25 - 1e-9 && bottom < 0.25 + factor / 72 + 1e-9,
          'ends at the lower margin, to a printed point',
        );
        assert.ok(
          Math.abs(((pixels * settings.scale) / 96 - settings.paper.width) * 72) <= 0.5 + 1e-9,
          'the layout fits, to half a point',
        );
      },
    ),
    { numRuns: 2000 },
  );
});

test('a narrow layout on wide paper is printed small and enlarged, and a very wide layout is printed large and reduced', () => {
  assert.ok((planPrint(optionsOf({ page_size: 'A0' }), { layoutWidth: 300 }).placement?.scale ?? 0) > 1);
  assert.ok((planPrint(optionsOf({ page_size: 'A6' }), { layoutWidth: 65_000 }).placement?.scale ?? 2) < 1);
});
