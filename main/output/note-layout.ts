/** What the job's log says of how a page was laid out for its output: viewport, scale, paper, and what of it was not to be had. */
import type { WindowRun } from '../engine/engine.ts';
import type { Page } from '../engine/page.ts';
import { contentAreaFor, pixelsPerInch } from '../job/layout.ts';
import type { Options } from '../job/options.ts';
import { changesPaper } from '../job/page-setup.ts';
import { geometryFor, hasStrip } from '../job/paper.ts';
import { noteFit } from './note-fit.ts';
import type { PictureSize } from './picture-size.ts';
import type { Body } from './print-body.ts';

/** Of a PDF. */
export function noteLayout(page: Page, body: Body, run: WindowRun): void {
  const { log, job } = run;
  if (!log.recorded) return;
  const { scale, settings, placement } = body.plan;
  const { width, height } = placement?.paper ?? settings.paper;
  const size = `${width.toFixed(2)} x ${height.toFixed(2)} in`;
  const own = Math.round((settings.paper.width * pixelsPerInch) / settings.scale);
  const apart = placement === undefined ? '' : `, printed ${own} px wide and laid on it`;
  log.write({
    kind: 'layout',
    text: `Laid out ${body.layoutWidth} px wide, print scale ${scale.toFixed(3)}, paper ${size}${apart}.`,
    detail: {
      ...seenBy(page, body.layoutWidth),
      scale,
      paper: { width, height },
      margins: geometryFor(job.options).margins,
    },
  });
  noteFit(body, run);
  noteMissedPage(body, run);
  noteOverlaps(run);
}

/** Of a picture; `tall` is the content's height in CSS pixels. */
export function notePictureLayout(page: Page, tall: number, ...[size, run]: [PictureSize, WindowRun]): void {
  const { width, height, layoutWidth } = size;
  run.log.write({
    kind: 'layout',
    text: `Laid out ${layoutWidth} x ${tall} px, captured at ${width} x ${height} px.`,
    detail: { ...seenBy(page, layoutWidth), scale: width / layoutWidth, picture: { width, height } },
  });
}

function seenBy({ window: { emulated } }: Page, width: number) {
  const { viewport = { width, height: 0 }, media = 'screen' } = emulated;
  return { viewport: { width: viewport.width, height: viewport.height }, media } as const;
}

function noteMissedPage({ plan, inspection }: Body, { log, job: { options } }: WindowRun): void {
  if (plan.placement !== undefined && (options.conversion_config ?? []).some(changesPaper))
    log.note(
      'Paper, margins and heights in conversion_config have no effect on content that is laid on its paper apart.',
      { code: 'option-without-effect', options: ['conversion_config'] },
    );
  if (isToBeOnePage(options) && inspection.pages > 1)
    log.note(
      `All was to be on one page, but took ${inspection.pages}: paper ends at 200in, and what is as tall as the window grows with the page.`,
      { code: 'not-one-page', options: ['page_height', 'content_fit_mode'] },
    );
}

/** Whether the caller wanted it, whatever the plan could do. */
function isToBeOnePage({ page_height, content_fit_mode }: Options): boolean {
  return page_height === 'content' || content_fit_mode.startsWith('single-page');
}

/** A rounded hundredth of an inch. */
const visible = 0.005;

/** Headers and footers take their height from the print area; only content_area_* can lay the content over them. */
function noteOverlaps({ log, job: { options } }: WindowRun): void {
  const area = contentAreaFor(options);
  const { margins, header, footer } = geometryFor(options);
  const overlaps = [
    { side: 'header', by: margins.top + header - area.top },
    { side: 'footer', by: margins.bottom + footer - area.bottom },
  ] as const;
  for (const { side, by } of overlaps) {
    if (!hasStrip(options, side) || by <= visible) continue;
    const text = `The content begins ${by.toFixed(2)}in inside the ${side}, because of content_area_y or content_area_height; they may lie on each other.`;
    log.note(text, {
      code: 'strip-overlaps',
      options: ['content_area_y', 'content_area_height', `${side}_height`],
    });
  }
}
