/** How wide a page is laid out for its output. Pure geometry. */
import type { Inches } from '../fields/measures.ts';
import { isImage } from './job.ts';
import type { ViewportWidth } from './option-kinds.ts';
import type { OptionName, Options } from './options.ts';
import { geometryFor, printAreaOf, type Paper } from './paper.ts';

export interface Layout {
  /** CSS pixels. */
  readonly width: ViewportWidth;
  /** The narrowest width that `balanced` may settle on, in CSS pixels. */
  readonly narrowest: number;
  /** Height of the viewport for each pixel of its width. */
  readonly aspect: number;
  /** Height of the viewport in CSS pixels, when it is not by the aspect. */
  readonly height?: number;
}

export const pixelsPerInch = 96;

/** For PDF the viewport has the shape of the print area; for pictures that of the picture, or of a screen. */
export function layoutFor(options: Options, given: ReadonlySet<OptionName>): Layout {
  const width = options.content_viewport_width;
  if (!isImage(options)) return printLayout(options);
  const { screenshot_width, screenshot_height } = options;
  const asked = given.has('content_viewport_width') ? width : screenshot_width;
  const aspect = screenshot_height === undefined ? 0.75 : screenshot_height / screenshot_width;
  return { width: asked, narrowest: screenshot_width, aspect };
}

/** Zoomed content is laid out in a viewport that is smaller by as much, as a browser does it. */
function printLayout(options: Options): Layout {
  const { content_viewport_width: width, content_viewport_height: height } = options;
  const area = contentAreaFor(options);
  const zoom = options.scale_factor / 100;
  return {
    width: width === 'balanced' ? width : Math.max(1, Math.round(width / zoom)),
    narrowest: Math.max(1, Math.round((area.width * pixelsPerInch) / zoom)),
    aspect: area.height / area.width,
    ...(height !== 'auto' && { height: Math.max(1, Math.round(height / zoom)) }),
  };
}

/** The area of a page that the content is laid out for. */
export interface ContentArea extends Paper {
  /** Distances from the edges of the paper; negative beyond them. */
  readonly top: Inches;
  readonly right: Inches;
  readonly bottom: Inches;
  readonly left: Inches;
}

/** The print area, or what content_area_* make of it. */
export function contentAreaFor(options: Options): ContentArea {
  const geometry = geometryFor(options);
  const { margins, header, footer } = geometry;
  const area = printAreaOf(geometry);
  const { content_area_x: x, content_area_y: y } = options;
  const { content_area_width: width = area.width, content_area_height: height = area.height } = options;
  return {
    ...{ width, height },
    top: margins.top + header + y,
    right: margins.right + (area.width - width) - x,
    bottom: margins.bottom + footer + (area.height - height) - y,
    left: margins.left + x,
  };
}
