/** Computes the viewport in which a page is laid out, and the area of the paper that the content fills. */
import type { Inches } from '../fields/kinds.ts';
import { isImage } from './job.ts';
import type { ViewportWidth } from './option-kinds.ts';
import type { OptionName, Options } from './options.ts';
import { geometryFor, printAreaOf, type Paper } from './paper.ts';
import type { PageSetup } from './conversion-config.ts';
import { PagesLeft, wholeDocument } from './page-range.ts';

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

/** Returns the viewport. It has the shape of the print area (PDF) or of the image (4:3 without screenshot_height). */
export function layoutFor(options: Options, givenOptions: ReadonlySet<OptionName>): Layout {
  const width = options.content_viewport_width;
  if (!isImage(options)) return printLayout(options);
  const { screenshot_width, screenshot_height } = options;
  const layoutWidth = givenOptions.has('content_viewport_width') ? width : screenshot_width;
  const aspect = screenshot_height === undefined ? 0.75 : screenshot_height / screenshot_width;
  return { width: layoutWidth, minWidth: screenshot_width, aspect };
}

/** Returns the viewport for a PDF: its size divided by the zoom, as in a browser. */
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

/** Returns the print area, moved and resized by the options content_area_*. */
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

/** The CSS page selectors for which paper and margins can be set (CSS Paged Media 3, 3.1). */
type PageSelector = '' | ':first' | ':right' | ':left';

/** Returns the setup of each page of a document of `total` pages. Later setups override earlier ones. */
export function setupsOfPages(options: Options, total: number): readonly PageSetup[] {
  const merged: Record<string, unknown>[] = Array.from({ length: total }, () => ({}));
  // Starts with the last setup, which wins, so that each page gets each member once, however many setups match.
  const setups = (options.conversion_config ?? []).toReversed();
  const names = new Set(setups.flatMap(({ pages: _pages, ...members }) => Object.keys(members)));
  for (const name of names as ReadonlySet<Exclude<keyof PageSetup, 'pages'>>) {
    const pagesLeft = new PagesLeft(total);
    for (const setup of setups)
      if (setup[name] !== undefined)
        for (const page of pagesLeft.take(setup.pages ?? wholeDocument))
          Object.assign(merged[page - 1] ?? {}, { [name]: setup[name] });
  }
  return merged;
}

/** Returns the setup of the pages that a selector matches, or undefined if paper and margins do not change. */
export function setupOfSelector(options: Options, selector: PageSelector): PageSetup | undefined {
  const applicable = applicableSelectors[selector];
  const merged = mergeSetups(
    options,
    (setup) => changesPaper(setup) && applicable.includes(selectorOfSetup(setup) ?? 'none'),
  );
  return changesPaper(merged) ? merged : undefined;
}

/** By selector, the selectors of all setups that apply to the same pages. The first page is a right page. */
const applicableSelectors: Readonly<Record<PageSelector, readonly string[]>> = {
  '': [''],
  ':right': ['', ':right'],
  ':left': ['', ':left'],
  ':first': ['', ':right', ':first'],
};

/** Returns the CSS selector that matches exactly the pages of a setup, or undefined if there is none. */
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

/** Returns whether content that is wider than the layout of a PDF is scaled down, so that nothing of it is cut. */
export function scalesWideContent({ content_fit_mode: mode, expand_scroll_areas }: Options): boolean {
  return mode === 'smart-scaling' || mode === 'content-width' || (mode === 'auto' && expand_scroll_areas);
}

/** Returns true if the setup sets the paper or the margins. */
export function setsPaper({ headerHeight: _header, footerHeight: _footer, ...setup }: PageSetup): boolean {
  return changesPaper({ ...setup, displayHeader: 'content', displayFooter: 'content' });
}

function mergeSetups(options: Options, applies: (setup: PageSetup) => boolean): PageSetup {
  return Object.assign({}, ...(options.conversion_config ?? []).filter(applies)) as PageSetup;
}
