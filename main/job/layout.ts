/** How wide a page is laid out for its output. Pure geometry. */
import type { Inches } from '../fields/measures.ts';
import { isImage } from './job.ts';
import type { ViewportWidth } from './option-kinds.ts';
import type { OptionName, Options } from './options.ts';
import { paperFor } from './paper.ts';

export interface Layout {
  /** CSS pixels. */
  readonly width: ViewportWidth;
  /** The narrowest width that `balanced` may settle on, in CSS pixels. */
  readonly narrowest: number;
  /** Height of the viewport for each pixel of its width. */
  readonly aspect: number;
}

export const pixelsPerInch = 96;

/** For PDF the viewport has the shape of the print area; for pictures that of a screen. */
export function layoutFor(options: Options, given: ReadonlySet<OptionName>): Layout {
  const width = options.content_viewport_width;
  if (!isImage(options)) {
    const area = printAreaFor(options);
    return {
      width,
      narrowest: Math.max(1, Math.round(area.width * pixelsPerInch)),
      aspect: area.height / area.width,
    };
  }
  const asked = given.has('content_viewport_width') ? width : options.screenshot_width;
  return { width: asked, narrowest: options.screenshot_width, aspect: 0.75 };
}

/** What the margins leave of the paper, in inches. */
export function printAreaFor(options: Options): { readonly width: Inches; readonly height: Inches } {
  const paper = paperFor(options);
  return {
    width: paper.width - options.margin_left - options.margin_right,
    height: paper.height - options.margin_top - options.margin_bottom,
  };
}
