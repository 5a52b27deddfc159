/** Computes the paper of a page and its print area: the paper without margins, header and footer. In inches. */
import type { Inches } from '../fields/kinds.ts';
import type { Display, PageSetup } from './conversion-config.ts';
import type { Options } from './options.ts';
import { paperSizes } from './option-kinds.ts';

export interface Paper {
  readonly width: Inches;
  readonly height: Inches;
}

export interface Margins {
  readonly top: Inches;
  readonly right: Inches;
  readonly bottom: Inches;
  readonly left: Inches;
}

export type HeaderFooterSide = 'header' | 'footer';

/** The paper, margins, header and footer of one page. */
export interface PageGeometry {
  readonly paper: Paper;
  readonly margins: Margins;
  /** Height of the header and the footer; 0 if there is none. */
  readonly header: Inches;
  readonly footer: Inches;
  readonly displayHeader: Display;
  readonly displayFooter: Display;
  readonly backgroundColor?: string;
}

/** Returns the geometry of a page: `setup` overrides the options. */
export function geometryFor(options: Options, setup: PageSetup = {}): PageGeometry {
  const { displayHeader = 'content', displayFooter = 'content', backgroundColor } = setup;
  const margin = (side: 'Top' | 'Right' | 'Bottom' | 'Left', optionValue: Inches) =>
    setup[`margin${side}`] ?? (options.no_margins ? 0 : optionValue);
  const headerFooterHeight = (side: HeaderFooterSide, display: Display) =>
    hasHeaderFooter(options, side) && display !== 'none'
      ? (setup[`${side}Height`] ?? options[`${side}_height`])
      : 0;
  return {
    paper: paperWith(options, setup),
    margins: {
      top: margin('Top', options.margin_top),
      right: margin('Right', options.margin_right),
      bottom: margin('Bottom', options.margin_bottom),
      left: margin('Left', options.margin_left),
    },
    header: headerFooterHeight('header', displayHeader),
    footer: headerFooterHeight('footer', displayFooter),
    displayHeader,
    displayFooter,
    ...(backgroundColor !== undefined && { backgroundColor }),
  };
}

/** Returns whether the request names HTML for the header or the footer. */
export function hasHeaderFooter(options: Options, side: HeaderFooterSide): boolean {
  return [options[`${side}_html`], options[`${side}_url`], options[`zip_${side}_filename`]].some(
    (source) => source !== undefined,
  );
}

/** Returns the paper without margins, header and footer. Its sides may be negative. */
export function printAreaOf({ paper, margins, header, footer }: PageGeometry): Paper {
  return {
    width: paper.width - margins.left - margins.right,
    height: paper.height - margins.top - margins.bottom - header - footer,
  };
}

/**
 * Returns the paper. page_width and page_height take precedence over page_size; landscape makes the longer side horizontal. The
 * height `content` is resolved later, when the height of the content is known.
 */
function paperWith(options: Options, setup: PageSetup): Paper {
  const named = paperSizes[setup.pageSize ?? options.page_size];
  const sides = setup.pageSize === undefined ? options : { page_width: undefined, page_height: undefined };
  const { page_width, page_height } = sides;
  const width = setup.pageWidth ?? page_width ?? named.width;
  const explicitHeight = setup.pageHeight ?? page_height;
  const height = explicitHeight === undefined || explicitHeight === 'content' ? named.height : explicitHeight;
  const swapsSides =
    explicitHeight !== 'content' &&
    (setup.orientation ?? options.orientation) === 'landscape' &&
    height > width;
  return swapsSides ? { width: height, height: width } : { width, height };
}
