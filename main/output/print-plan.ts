/** How a page is printed so that its layout fills the print area. Pure geometry. */
import type { PrintSettings } from '../engine/print.ts';
import type { Inches } from '../fields/measures.ts';
import { pixelsPerInch, printAreaFor } from '../job/layout.ts';
import type { Options } from '../job/options.ts';
import { paperFor, type Paper } from '../job/paper.ts';

/** What is done to printed pages that hold the print area alone: scaled, and laid on the paper. */
export interface Placement {
  readonly factor: number;
  readonly paper: Paper;
  readonly left: Inches;
  readonly bottom: Inches;
}

export interface PrintPlan {
  readonly settings: PrintSettings;
  /** Scale of the content on the finished paper. */
  readonly scale: number;
  /** Only when Chromium's own scale does not reach. */
  readonly placement?: Placement;
}

/** Chromium's own limits. */
const smallestScale = 0.1;
const largestScale = 2;
const pointsPerInch = 72;

/** The plan that makes a layout of `layoutWidth` CSS pixels as wide as the print area. */
export function planPrint(options: Options, layoutWidth: number): PrintPlan {
  const area = printAreaFor(options);
  const scale = (area.width * pixelsPerInch) / layoutWidth;
  if (scale < smallestScale || scale > largestScale) return planApart(options, layoutWidth);
  const margins = {
    top: options.margin_top,
    right: options.margin_right,
    bottom: options.margin_bottom,
    left: options.margin_left,
  };
  return { settings: { paper: paperFor(options), margins, scale }, scale };
}

/** The print area alone, at the limit of Chromium's scale; the finished pages are scaled and laid on the paper. */
function planApart(options: Options, layoutWidth: number): PrintPlan {
  const paper = paperFor(options);
  const area = printAreaFor(options);
  const scale = (area.width * pixelsPerInch) / layoutWidth;
  const limit = scale > largestScale ? largestScale : smallestScale;
  // Chromium's paper comes in whole points, so the factor is taken from what it will be.
  const width =
    Math.max(1, Math.round((layoutWidth * limit * pointsPerInch) / pixelsPerInch)) / pointsPerInch;
  const factor = area.width / width;
  const height = Math.max(1, Math.floor((area.height * pointsPerInch) / factor)) / pointsPerInch;
  const settings = {
    paper: { width, height },
    margins: { top: 0, right: 0, bottom: 0, left: 0 },
    scale: Math.min(Math.max((width * pixelsPerInch) / layoutWidth, smallestScale), largestScale),
  };
  // What rounding takes from the height is left free at the bottom.
  const bottom = paper.height - options.margin_top - height * factor;
  return { settings, scale, placement: { factor, paper, left: options.margin_left, bottom } };
}
