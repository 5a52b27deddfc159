/** Plans how a page is printed: paper, margins and scale for Chromium, and the placement afterwards. Pure geometry. */
import type { Page } from '../../engine/page.ts';
import type { PrintSettings } from '../../engine/window/print.ts';
import type { Inches } from '../../fields/kinds.ts';
import { contentAreaFor, pixelsPerInch, setupOfSelector, type ContentArea } from '../../job/layout.ts';
import type { Options } from '../../job/options.ts';
import type { PageRuleBox } from '../../job/page-rule-paper.ts';
import { geometryFor, type Margins, type PageGeometry, type Paper } from '../../job/paper.ts';
import type { PrintedAt } from '../finish/layers/links.ts';
import type { Box, ApiMatrix } from '../geometry.ts';

/** How printed pages that contain only the content are scaled, clipped and placed on the paper. */
export interface ContentPlacement {
  /** The factor by which the printed page is scaled. */
  readonly scale: number;
  readonly paper: Paper;
  /** Position of the lower left corner of the printed page. */
  readonly left: Inches;
  readonly bottom: Inches;
  /** Visible area in points on the paper. */
  readonly clip?: Box | undefined;
  /** Transforms the placed content about its upper left corner. */
  readonly matrix?: ApiMatrix | undefined;
}

export interface PrintPlan {
  readonly settings: Pick<
    PrintSettings,
    'paper' | 'margins' | 'scale' | 'pageSettings' | 'replacements' | 'pageRulesOverride' | 'plainPaper'
  >;
  /** The paper and margins of the finished pages; those of the first page if the pages differ. */
  readonly page: { readonly paper: Paper; readonly margins: Margins };
  /** Scale of the content on the finished paper. */
  readonly scale: number;
  /** Present if the scale is beyond Chromium's limits, or if margins alone cannot position the content. */
  readonly placement?: ContentPlacement;
  /** Whether the whole content must fit on one page. */
  readonly onePage: boolean;
}

/** The layout of a page, in CSS pixels. */
type PageLayout = Pick<Page, 'layoutWidth' | 'contentBox' | 'ownPaper'>;

/** Chromium's limits for the print scale and for the paper. */
const minScale = 0.1;
const maxScale = 2;
const pointsPerInch = 72;
const maxPaperInches = 200;

/** Returns the plan for a layout. If the page has `ownPaper`, its options override those of the job. */
export function planPrint(jobOptions: Options, page: PageLayout): PrintPlan {
  const options = page.ownPaper?.options ?? jobOptions;
  const fit = fitFor(options, page);
  const geometry = { ...geometryFor(options), paper: fit.paper };
  const isScaleSupported = fit.scale >= minScale && fit.scale <= maxScale;
  const margins = isScaleSupported && !fit.needsPlacement ? marginsAround(fit) : undefined;
  if (margins === undefined) return planWithPlacement(options, page, fit);
  const pageSettings = (['', ':right', ':left', ':first'] as const).flatMap((selector) =>
    setupFor(page.ownPaper?.isRequested === true ? jobOptions : options, selector, geometry),
  );
  const pages = { paper: fit.paper, margins };
  const paperSettings =
    page.ownPaper?.isNative === true
      ? {
          ...page.ownPaper.defaultPage,
          replacements: page.ownPaper.boxes?.map(printedBox) ?? page.ownPaper.sizes,
          pageRulesOverride: true,
        }
      : // The page may still add @page rules while it is printed.
        {
          ...pages,
          ...(page.ownPaper === undefined &&
            jobOptions.css_page_rule_mode === 'mode2' && { pageRulesOverride: true }),
        };
  const settings: PrintPlan['settings'] = {
    ...paperSettings,
    scale: fit.scale,
    ...(pageSettings.length > 0 && { pageSettings }),
  };
  return { settings, page: pages, scale: fit.scale, onePage: fit.onePage };
}

const selectorsOf = (index: number) => [
  index === 0 ? ':first' : '',
  index % 2 === 0 ? ':right' : ':left',
  '',
];

/** Returns the paper and the margins with which pages of the box are printed. */
function printedBox({ selector, paper, printedWidth, ...box }: PageRuleBox) {
  const { top, right, bottom, left } = box.margins;
  const margins = {
    top: top + box.header,
    right: right + printedWidth - paper.width,
    bottom: bottom + box.footer,
    left,
  };
  return { selector, paper: { width: printedWidth, height: paper.height }, margins };
}

/** Returns the scale of the printed pages, and the left and top margins of each. */
export function printedAt(
  { settings, page }: PrintPlan,
  pages: number,
  boxes: readonly (PageRuleBox | undefined)[] = [],
): PrintedAt {
  const { pageSettings = [], scale } = settings;
  const { margins } = settings.pageRulesOverride === true ? page : settings;
  const origins = Array.from({ length: pages }, (_, index) => {
    const setup = selectorsOf(index)
      .map((selector) => pageSettings.find((setup) => selector === setup.selector))
      .find((setup) => setup !== undefined);
    const box = boxes[index];
    const { left, top } = (box && printedBox(box).margins) ?? setup?.margins ?? margins;
    return { left: left * pointsPerInch, top: top * pointsPerInch };
  });
  return { scale, origins };
}

/** Position and scale of the content on the paper. */
interface Fit {
  readonly paper: Paper;
  readonly area: ContentArea;
  readonly scale: number;
  /** Width of the part of the layout to the left of the area, in CSS pixels. */
  readonly shift: number;
  /** Height of a printed page in CSS pixels, if it differs from that of the area. */
  readonly height?: number;
  readonly needsPlacement: boolean;
  readonly onePage: boolean;
}

function fitFor(options: Options, page: PageLayout): Fit {
  const { paper } = geometryFor(options);
  const area = contentAreaFor(options);
  const areaWidth = area.width * pixelsPerInch;
  const baseFit = { paper, area, scale: scaleOf(page, areaWidth), shift: 0, onePage: false };
  const needsPlacement = options.contents_matrix !== undefined;
  if (options.page_height === 'content') return { ...fitPaperToContent(baseFit, page), needsPlacement };
  switch (options.content_fit_mode) {
    case 'no-scaling': {
      const scale = options.scale_factor / 100;
      const fits = page.ownPaper?.isNative === true && baseFit.scale === scale;
      return { ...baseFit, scale, needsPlacement: needsPlacement || !fits };
    }
    case 'content-width': {
      const { left, width } = page.contentBox ?? { left: 0, width: page.layoutWidth };
      return {
        ...baseFit,
        scale: areaWidth / width,
        shift: left,
        needsPlacement: needsPlacement || width < page.layoutWidth,
      };
    }
    case 'single-page':
      return { ...fitOnOnePage(baseFit, page), needsPlacement: true };
    case 'single-page-ratio':
      return { ...baseFit, onePage: true, needsPlacement };
    case 'auto':
    case 'viewport-width':
    case 'smart-scaling':
      return { ...baseFit, needsPlacement };
  }
}

/**
 * Returns the scale at which the layout fills the width of the area. Returns the exact scale of `ownPaper` if the layout width
 * differs from it only by rounding.
 */
function scaleOf({ layoutWidth, ownPaper }: PageLayout, areaWidth: number): number {
  const exact = ownPaper?.scale;
  const isExact = exact !== undefined && Math.abs(areaWidth / exact - layoutWidth) <= 0.5 + 1e-6;
  return isExact ? exact : areaWidth / layoutWidth;
}

type BaseFit = Omit<Fit, 'needsPlacement'>;

/** Makes the paper as high as the content and the vertical margins, up to Chromium's limit. */
function fitPaperToContent(baseFit: BaseFit, { contentBox }: PageLayout): BaseFit {
  const { paper, area, scale } = baseFit;
  const verticalMargins = paper.height - area.height;
  const height = Math.max(0.1, ((contentBox?.height ?? 1) * scale) / pixelsPerInch);
  const maxHeight = maxPaperInches - verticalMargins;
  const areaHeight = Math.min(height, maxHeight);
  return {
    ...baseFit,
    paper: { ...paper, height: verticalMargins + areaHeight },
    area: { ...area, height: areaHeight },
    onePage: height <= maxHeight,
  };
}

/** Scales the content to fit both width and height, and centres it horizontally. */
function fitOnOnePage(baseFit: BaseFit, { layoutWidth, contentBox }: PageLayout): BaseFit {
  const { area } = baseFit;
  const height = Math.max(1, contentBox?.height ?? 1);
  const scale = Math.min(baseFit.scale, (area.height * pixelsPerInch) / height);
  const free = area.width - (layoutWidth * scale) / pixelsPerInch;
  return {
    ...baseFit,
    area: { ...area, left: area.left + free / 2, width: area.width - free },
    scale,
    height,
    onePage: true,
  };
}

/** Returns the margins around the area; undefined if the area exceeds the paper. */
function marginsAround({ area }: Fit): Margins | undefined {
  const { top, right, bottom, left } = area;
  const margins = { top, right, bottom, left };
  return Object.values(margins).some((inches) => inches < 0) ? undefined : margins;
}

function setupFor(options: Options, selector: '' | ':first' | ':left' | ':right', base: PageGeometry) {
  const setup = setupOfSelector(options, selector);
  if (setup === undefined) return [];
  const { paper: setupPaper, margins, header, footer } = geometryFor(options, setup);
  const isNamed = [setup.pageSize, setup.pageWidth, setup.pageHeight, setup.orientation].some(Boolean);
  const paper = isNamed ? setupPaper : base.paper;
  const around = { ...margins, top: margins.top + header, bottom: margins.bottom + footer };
  return [{ selector, paper, margins: around }];
}

/**
 * Returns a plan that prints only the content, at a scale that Chromium supports. The printed pages are then scaled and placed on
 * the paper.
 */
function planWithPlacement(options: Options, { layoutWidth }: PageLayout, fit: Fit): PrintPlan {
  const { paper, area, scale } = fit;
  const maxScaleForHeight =
    fit.height === undefined ? maxScale : (maxPaperInches * pixelsPerInch) / fit.height;
  const printScale = Math.max(minScale, Math.min(scale, maxScale, maxScaleForHeight));
  // Chromium rounds paper to whole points, so the factor is computed from the rounded width.
  const width =
    Math.max(1, Math.round((layoutWidth * printScale * pointsPerInch) / pixelsPerInch)) / pointsPerInch;
  const factor = (layoutWidth * scale) / pixelsPerInch / width;
  const areaHeight = fit.height === undefined ? area.height : (fit.height * scale) / pixelsPerInch;
  const round = fit.height === undefined ? Math.floor : Math.ceil;
  const height = Math.max(1, round((areaHeight * pointsPerInch) / factor)) / pointsPerInch;
  const settings = {
    paper: { width, height },
    margins: { top: 0, right: 0, bottom: 0, left: 0 },
    scale: Math.min(Math.max((width * pixelsPerInch) / layoutWidth, minScale), maxScale),
  };
  const left = area.left - (fit.shift * scale) / pixelsPerInch;
  // The height that is lost by rounding stays empty at the bottom.
  const bottom = paper.height - area.top - height * factor;
  const needsClip = fit.shift > 0 || width * factor > area.width + 1e-9;
  const clip = {
    left: area.left * pointsPerInch,
    bottom: (paper.height - area.top - area.height) * pointsPerInch,
    width: area.width * pointsPerInch,
    height: area.height * pointsPerInch,
  };
  const { contents_matrix: matrix } = options;
  const placement = {
    scale: factor,
    paper,
    left,
    bottom,
    ...((needsClip || matrix !== undefined) && { clip }),
    ...(matrix !== undefined && { matrix }),
  };
  const page = { paper, margins: area };
  return { settings, page, scale, placement, onePage: fit.onePage };
}
