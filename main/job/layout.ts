/** Computes the viewport that a page is laid out in, and the area of the paper that its content fills. */
import type { Inches } from '../fields/measures.ts';
import { isImage } from './job.ts';
import type { ViewportWidth } from './option-kinds.ts';
import type { OptionName, Options } from './options.ts';
import { geometryFor, printAreaOf, type Paper } from './paper.ts';
import type { PageSetup } from './conversion-config.ts';
import { pagesInRange } from './page-range.ts';

export interface Layout {
  /** Width of the viewport in CSS pixels. */
  readonly width: ViewportWidth;
  /** The narrowest width that `balanced` may choose, in CSS pixels. */
  readonly minWidth: number;
  /** Height of the viewport divided by its width. */
  readonly aspect: number;
  /** Height of the viewport in CSS pixels; absent if the aspect ratio determines it. */
  readonly height?: number;
}

export const pixelsPerInch = 96;

/** Returns the viewport. PDF: shape of the print area. Image: shape of the image, or 4:3 without screenshot_height. */
export function layoutFor(options: Options, givenOptions: ReadonlySet<OptionName>): Layout {
  const width = options.content_viewport_width;
  if (!isImage(options)) return printLayout(options);
  const { screenshot_width, screenshot_height } = options;
  const layoutWidth = givenOptions.has('content_viewport_width') ? width : screenshot_width;
  const aspect = screenshot_height === undefined ? 0.75 : screenshot_height / screenshot_width;
  return { width: layoutWidth, minWidth: screenshot_width, aspect };
}

/** Divides the viewport by the zoom, as a browser does. */
function printLayout(options: Options): Layout {
  const { content_viewport_width: width, content_viewport_height: height } = options;
  const area = contentAreaFor(options);
  const zoom = options.scale_factor / 100;
  return {
    width: width === 'balanced' ? width : Math.max(1, Math.round(width / zoom)),
    minWidth: Math.max(1, Math.round((area.width * pixelsPerInch) / zoom)),
    aspect: area.height / area.width,
    ...(height !== 'auto' && { height: Math.max(1, Math.round(height / zoom)) }),
  };
}

/** The area of a page that the content fills. */
export interface ContentArea extends Paper {
  /** Distances from the edges of the paper; negative outside the paper. */
  readonly top: Inches;
  readonly right: Inches;
  readonly bottom: Inches;
  readonly left: Inches;
}

/** Returns the print area, changed by the options content_area_*. */
export function contentAreaFor(options: Options): ContentArea {
  const geometry = geometryFor(options);
  const { margins, header, footer } = geometry;
  const area = printAreaOf(geometry);
  const { content_area_x: x, content_area_y: y } = options;
  const { content_area_width: width = area.width, content_area_height: height = area.height } = options;
  return {
    width,
    height,
    top: margins.top + header + y,
    right: margins.right + (area.width - width) - x,
    bottom: margins.bottom + footer + (area.height - height) - y,
    left: margins.left + x,
  };
}

// Finds the setups of `conversion_config` that apply to a page or to a page selector.

/** The CSS selectors of pages that can have their own paper and margins (CSS Paged Media 3, 3.1). */
type PageSelector = '' | ':first' | ':right' | ':left';

/** Returns the setup of one page (from 1) in a document of `total` pages. Later setups win. */
export function setupOfPage(options: Options, page: number, total: number): PageSetup {
  return mergeSetups(
    options,
    ({ pages }) => pages === undefined || pagesInRange(pages, total).includes(page),
  );
}

/** Returns the setup of the pages of a selector, or undefined if it changes neither paper nor margins. */
export function setupOfSelector(options: Options, selector: PageSelector): PageSetup | undefined {
  const applicable = applicableSelectors[selector];
  const merged = mergeSetups(
    options,
    (setup) => changesPaper(setup) && applicable.includes(selectorOfSetup(setup) ?? 'none'),
  );
  return changesPaper(merged) ? merged : undefined;
}

/** The selectors whose setups apply to the pages of a selector. The first page is a right page. */
const applicableSelectors: Readonly<Record<PageSelector, readonly string[]>> = {
  '': [''],
  ':right': ['', ':right'],
  ':left': ['', ':left'],
  ':first': ['', ':right', ':first'],
};

/** Returns the selector of a setup's pages, or undefined if CSS has none for them. */
export function selectorOfSetup({ pages }: PageSetup): PageSelector | undefined {
  if (pages === undefined) return '';
  const [span, ...more] = pages;
  if (span === undefined || more.length > 0) return undefined;
  if (span === 'odd') return ':right';
  if (span === 'even') return ':left';
  if (span === 'last' || span.from !== 1) return undefined;
  return span.to === undefined ? '' : span.to === 1 ? ':first' : undefined;
}

/** Returns true if the setup changes the paper, the margins, or the space of the header or footer. */
export function changesPaper(setup: PageSetup): boolean {
  const { pages: _pages, displayHeader, displayFooter, backgroundColor: _colour, ...sizes } = setup;
  return displayHeader === 'none' || displayFooter === 'none' || Object.keys(sizes).length > 0;
}

function mergeSetups(options: Options, applies: (setup: PageSetup) => boolean): PageSetup {
  return Object.assign({}, ...(options.conversion_config ?? []).filter(applies)) as PageSetup;
}
