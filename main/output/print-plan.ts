/** How a page is printed so that its layout lies on the paper as it was asked for. Pure geometry. */
import type { PrintSettings } from '../engine/print.ts';
import type { Inches } from '../fields/measures.ts';
import { contentAreaFor, pixelsPerInch, type ContentArea } from '../job/layout.ts';
import type { Options } from '../job/options.ts';
import { setupOfSelector } from '../job/page-setup.ts';
import { geometryFor, type Margins, type PageGeometry, type Paper } from '../job/paper.ts';
import type { PrintedAt } from './finish/layers/named-places.ts';
import type { Box, WireMatrix } from './geometry.ts';

/** What is done to printed pages that hold the content alone: scaled, cut, and laid on the paper. */
export interface Placement {
  readonly factor: number;
  readonly paper: Paper;
  /** Where the lower left corner of the printed page comes to lie. */
  readonly left: Inches;
  readonly bottom: Inches;
  /** Points on the paper; what is outside is cut. */
  readonly clip?: Box | undefined;
  /** Turns what was laid about its upper left corner. */
  readonly matrix?: WireMatrix | undefined;
}

export interface PrintPlan {
  readonly settings: Pick<PrintSettings, 'paper' | 'margins' | 'scale' | 'setups'>;
  /** Scale of the content on the finished paper. */
  readonly scale: number;
  /** Only when Chromium's own scale does not reach, or the content is not where its paper would put it. */
  readonly placement?: Placement;
  /** The whole content is to be on one page. */
  readonly onePage: boolean;
}

/** A laid out page, in CSS pixels. */
export interface LaidOut {
  readonly layoutWidth: number;
  /** What the content takes, where the fit mode depends on it. */
  readonly content?: { readonly left: number; readonly width: number; readonly height: number };
}

/** Chromium's own limits. */
const smallestScale = 0.1;
const largestScale = 2;
const pointsPerInch = 72;
const longestPaper = 200;

/** The plan for a page as it was laid out. */
export function planPrint(options: Options, page: LaidOut): PrintPlan {
  const fit = fitFor(options, page);
  const geometry = { ...geometryFor(options), paper: fit.paper };
  const reachable = fit.scale >= smallestScale && fit.scale <= largestScale;
  const margins = reachable && !fit.apart ? marginsAround(fit) : undefined;
  if (margins === undefined) return planApart(options, page, fit);
  const setups = (['', ':right', ':left', ':first'] as const).flatMap((selector) =>
    setupOn(options, selector, geometry),
  );
  const settings = { paper: fit.paper, margins, scale: fit.scale, ...(setups.length > 0 && { setups }) };
  return { settings, scale: fit.scale, onePage: fit.onePage };
}

const selectorsOf = (index: number) => [
  index === 0 ? ':first' : '',
  index % 2 === 0 ? ':right' : ':left',
  '',
];

/** How each of so many pages was printed. */
export function printedAt({ settings }: PrintPlan, pages: number): PrintedAt {
  const { setups = [], margins, scale } = settings;
  const origins = Array.from({ length: pages }, (_, index) => {
    const setup = selectorsOf(index)
      .map((selector) => setups.find((one) => selector === one.selector))
      .find((one) => one !== undefined);
    const { left, top } = setup?.margins ?? margins;
    return { left: left * pointsPerInch, top: top * pointsPerInch };
  });
  return { scale, origins };
}

/** Where the content goes on the paper, and how large. */
interface Fit {
  readonly paper: Paper;
  readonly area: ContentArea;
  readonly scale: number;
  /** CSS pixels of the layout left of what fills the area. */
  readonly shift: number;
  /** Height of a printed page in CSS pixels, when it is not the area's. */
  readonly height?: number;
  readonly apart: boolean;
  readonly onePage: boolean;
}

function fitFor(options: Options, page: LaidOut): Fit {
  const { paper } = geometryFor(options);
  const area = contentAreaFor(options);
  const wide = area.width * pixelsPerInch;
  const usual = { paper, area, scale: wide / page.layoutWidth, shift: 0, onePage: false };
  const apart = options.contents_matrix !== undefined;
  if (options.page_height === 'content') return { ...asTallAsContent(usual, page), apart };
  switch (options.content_fit_mode) {
    case 'no-scaling':
      return { ...usual, scale: options.scale_factor / 100, apart: true };
    case 'content-width': {
      const { left, width } = page.content ?? { left: 0, width: page.layoutWidth };
      return { ...usual, scale: wide / width, shift: left, apart: apart || width < page.layoutWidth };
    }
    case 'single-page':
      return { ...onOnePage(usual, page), apart: true };
    case 'single-page-ratio':
      return { ...usual, onePage: true, apart };
    case 'auto':
    case 'viewport-width':
    case 'smart-scaling':
      return { ...usual, apart };
  }
}

type Usual = Omit<Fit, 'apart'>;

/** The paper grows with the content, up to the longest there is. */
function asTallAsContent(usual: Usual, { content }: LaidOut): Usual {
  const { paper, area, scale } = usual;
  const around = paper.height - area.height;
  const height = Math.max(0.1, ((content?.height ?? 1) * scale) / pixelsPerInch);
  const longest = longestPaper - around;
  const fitting = Math.min(height, longest);
  return {
    ...usual,
    paper: { ...paper, height: around + fitting },
    area: { ...area, height: fitting },
    onePage: height <= longest,
  };
}

/** As large as both sides allow, in the middle of the width. */
function onOnePage(usual: Usual, { layoutWidth, content }: LaidOut): Usual {
  const { area } = usual;
  const height = Math.max(1, content?.height ?? 1);
  const scale = Math.min(usual.scale, (area.height * pixelsPerInch) / height);
  const free = area.width - (layoutWidth * scale) / pixelsPerInch;
  return {
    ...usual,
    area: { ...area, left: area.left + free / 2, width: area.width - free },
    scale,
    height,
    onePage: true,
  };
}

/** The margins that leave the area; undefined when it does not lie on the paper. */
function marginsAround({ area }: Fit): Margins | undefined {
  const { top, right, bottom, left } = area;
  const margins = { top, right, bottom, left };
  return Object.values(margins).some((inches) => inches < 0) ? undefined : margins;
}

function setupOn(options: Options, selector: '' | ':first' | ':left' | ':right', base: PageGeometry) {
  const setup = setupOfSelector(options, selector);
  if (setup === undefined) return [];
  const { paper: usual, margins, header, footer } = geometryFor(options, setup);
  const isNamed = [setup.pageSize, setup.pageWidth, setup.pageHeight, setup.orientation].some(Boolean);
  const paper = isNamed ? usual : base.paper;
  const around = { ...margins, top: margins.top + header, bottom: margins.bottom + footer };
  return [{ selector, paper, margins: around }];
}

/** The content alone, at a scale Chromium reaches; the finished pages are scaled and laid on the paper. */
function planApart(options: Options, { layoutWidth }: LaidOut, fit: Fit): PrintPlan {
  const { paper, area, scale } = fit;
  const highest = fit.height === undefined ? largestScale : (longestPaper * pixelsPerInch) / fit.height;
  const reached = Math.max(smallestScale, Math.min(scale, largestScale, highest));
  // Chromium's paper comes in whole points, so the factor is taken from what it will be.
  const width =
    Math.max(1, Math.round((layoutWidth * reached * pointsPerInch) / pixelsPerInch)) / pointsPerInch;
  const factor = (layoutWidth * scale) / pixelsPerInch / width;
  const asked = fit.height === undefined ? area.height : (fit.height * scale) / pixelsPerInch;
  const round = fit.height === undefined ? Math.floor : Math.ceil;
  const height = Math.max(1, round((asked * pointsPerInch) / factor)) / pointsPerInch;
  const settings = {
    paper: { width, height },
    margins: { top: 0, right: 0, bottom: 0, left: 0 },
    scale: Math.min(Math.max((width * pixelsPerInch) / layoutWidth, smallestScale), largestScale),
  };
  const left = area.left - (fit.shift * scale) / pixelsPerInch;
  // What rounding takes from the height is left free at the bottom.
  const bottom = paper.height - area.top - height * factor;
  const wider = fit.shift > 0 || width * factor > area.width + 1e-9;
  const clip = {
    left: area.left * pointsPerInch,
    bottom: (paper.height - area.top - area.height) * pointsPerInch,
    width: area.width * pointsPerInch,
    height: area.height * pointsPerInch,
  };
  const { contents_matrix: matrix } = options;
  const placement = {
    ...{ factor, paper, left, bottom },
    ...((wider || matrix !== undefined) && { clip }),
    ...(matrix !== undefined && { matrix }),
  };
  return { settings, scale, placement, onePage: fit.onePage };
}
