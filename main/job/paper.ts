/** The paper of a page and what is left of it for the content: margins, header and footer taken off. Pure geometry, in inches. */
import type { Inches } from '../fields/measures.ts';
import type { Display, PageSetup } from './conversion-config.ts';
import type { Options } from './options.ts';
import { paperSizes } from './paper-sizes.ts';

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

export type Side = 'header' | 'footer';

/** How one page is set up. */
export interface PageGeometry {
  readonly paper: Paper;
  readonly margins: Margins;
  /** Height taken by the header and the footer; 0 when there is none. */
  readonly header: Inches;
  readonly footer: Inches;
  readonly displayHeader: Display;
  readonly displayFooter: Display;
  readonly backgroundColor?: string;
}

/** How a page is set up: by the options, and by what is otherwise on it. */
export function geometryFor(options: Options, setup: PageSetup = {}): PageGeometry {
  const { displayHeader = 'content', displayFooter = 'content', backgroundColor } = setup;
  const margin = (side: 'Top' | 'Right' | 'Bottom' | 'Left', usual: Inches) =>
    setup[`margin${side}`] ?? (options.no_margins ? 0 : usual);
  const strip = (side: Side, display: Display) =>
    hasStrip(options, side) && display !== 'none' ? (setup[`${side}Height`] ?? options[`${side}_height`]) : 0;
  return {
    paper: paperWith(options, setup),
    margins: {
      top: margin('Top', options.margin_top),
      right: margin('Right', options.margin_right),
      bottom: margin('Bottom', options.margin_bottom),
      left: margin('Left', options.margin_left),
    },
    header: strip('header', displayHeader),
    footer: strip('footer', displayFooter),
    ...{ displayHeader, displayFooter },
    ...(backgroundColor !== undefined && { backgroundColor }),
  };
}

/** True when there is something to print there. */
export function hasStrip(options: Options, side: Side): boolean {
  return [options[`${side}_html`], options[`${side}_url`], options[`zip_${side}_filename`]].some(
    (source) => source !== undefined,
  );
}

/** What margins, header and footer leave of the paper; may be negative. */
export function printAreaOf({ paper, margins, header, footer }: PageGeometry): Paper {
  return {
    width: paper.width - margins.left - margins.right,
    height: paper.height - margins.top - margins.bottom - header - footer,
  };
}

/** page_width and page_height beat page_size; landscape lays the longer side down. A height of the content's comes later. */
function paperWith(options: Options, setup: PageSetup): Paper {
  const named = paperSizes[setup.pageSize ?? options.page_size];
  const chosen = setup.pageSize === undefined ? options : { page_width: undefined, page_height: undefined };
  const { page_width, page_height } = chosen;
  const width = setup.pageWidth ?? page_width ?? named.width;
  const asked = setup.pageHeight ?? page_height;
  const height = asked === undefined || asked === 'content' ? named.height : asked;
  const turned =
    asked !== 'content' && (setup.orientation ?? options.orientation) === 'landscape' && height > width;
  return turned ? { width: height, height: width } : { width, height };
}
