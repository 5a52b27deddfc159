/** The options for the paper, the margins and the layout of the content on them. */
import { flag, integer, oneOf, length } from '../../fields/kinds.ts';
import { conversionConfig } from '../conversion-config.ts';
import {
  lengthOrContent,
  matrix,
  signedLength,
  upload,
  viewportHeight,
  viewportWidth,
  paperSizes,
  type PaperName,
} from '../option-kinds.ts';
import { pageRange } from '../page-range.ts';
import { optionGroup } from './option-row.ts';

const paperNames = Object.keys(paperSizes) as PaperName[];

const configLimits =
  'paper, margins, heights and the display none can be set for pages 1, odd, even and all; the rest for any pages';

export const pageRows = optionGroup('Page', 'pdf', {
  page_size: {
    kind: oneOf(paperNames),
    default: 'A4',
    description: 'Named paper size.',
  },
  page_width: {
    kind: length,
    description: 'Width of the paper, up to 200in. Takes precedence over page_size.',
  },
  page_height: {
    kind: lengthOrContent,
    description:
      'Height of the paper, up to 200in. Takes precedence over page_size. -1 makes one page as tall as the content.',
  },
  orientation: {
    kind: oneOf(['portrait', 'landscape']),
    default: 'portrait',
    description:
      'landscape turns the longer side of the paper horizontal; portrait leaves the paper as page_size, page_width and page_height define it.',
  },
  margin_top: marginRow('top'),
  margin_right: marginRow('right'),
  margin_bottom: marginRow('bottom'),
  margin_left: marginRow('left'),
  no_margins: {
    kind: flag,
    default: 'false',
    description:
      'Set all four margins to 0, whatever margin_top, margin_right, margin_bottom and margin_left are.',
  },
  print_page_range: {
    kind: pageRange,
    description:
      'Pages of the document to output, such as 1-3,7- or odd,last. Page numbers in headers and footers are those of the output.',
  },
  content_viewport_width: {
    kind: viewportWidth,
    output: 'both',
    default: 'medium',
    description:
      'Width of the layout in CSS pixels. A PDF is scaled so that this width fills the print area; balanced chooses the narrowest width, from the width of the print area up, at which nothing overflows. An image uses screenshot_width instead of the default.',
  },
  content_viewport_height: {
    kind: viewportHeight,
    default: 'auto',
    description:
      'Height of the viewport in CSS pixels while the page loads; lengths in vh depend on it. auto is the height of the print area, large is 10000. Lazy content loads at any height. An image uses screenshot_height instead.',
  },
  content_fit_mode: {
    kind: oneOf([
      'auto',
      'smart-scaling',
      'no-scaling',
      'viewport-width',
      'content-width',
      'single-page',
      'single-page-ratio',
    ]),
    default: 'auto',
    description:
      'How the layout is scaled to the print area. viewport-width (and auto): content_viewport_width fills the print area. smart-scaling: the same, but wider content is scaled down to fit. With expand_scroll_areas, auto does this too. content-width: the content alone fills the print area. no-scaling: a CSS pixel is 1/96in, and wider content is cut off. single-page: everything is on one page. single-page-ratio: the same, with a layout wide enough to have the shape of the page.',
  },
  scale_factor: {
    kind: integer(10, 500, 'percent'),
    output: 'both',
    default: '100',
    description:
      'Zoom. The content of a PDF, without headers and footers, is laid out and printed that much larger. An image is screenshot_width x scale_factor% pixels wide.',
  },
  css_page_rule_mode: {
    kind: oneOf(['default', 'mode1', 'mode2']),
    default: 'default',
    pdfcrowdDefault: 'mode1',
    description:
      "Whether the page options or the page's own @page rules set the paper size and the margins: mode1 uses the options, mode2 the rules. margin_top and margin_bottom position the header and the footer in both modes. If the request contains neither this option nor one for paper or margins, a page whose rules name a size is printed on that size. An explicit default means mode1.",
  },
  remove_blank_pages: {
    kind: oneOf(['trailing', 'all', 'none']),
    default: 'trailing',
    description: 'Empty pages to remove.',
  },
  conversion_config: {
    limitations: configLimits,
    kind: conversionConfig,
    description:
      'Setup of individual pages, as JSON: {"pageSetup": [{"pages": "1", "marginTop": "2in", "displayHeader": "none"}]} (docs/page-setup.md).',
  },
  conversion_config_file: {
    limitations: configLimits,
    kind: upload,
    description: 'conversion_config as a file part.',
  },
});

export const fineTuningRows = optionGroup('Fine tuning', 'pdf', {
  content_area_x: {
    kind: signedLength,
    default: '0in',
    description:
      'Distance to move the content to the right from the edge of the print area; a negative distance moves it to the left.',
  },
  content_area_y: {
    kind: signedLength,
    default: '0in',
    description: 'Distance to move the content down; a negative distance moves it up.',
  },
  content_area_width: {
    kind: length,
    description: 'Width of the area to lay out the content for, instead of the print area.',
  },
  content_area_height: {
    kind: length,
    description: 'Height of the area to lay out the content for, instead of the print area.',
  },
  contents_matrix: {
    kind: matrix,
    description:
      'Transformation of the content of each page: scaleX,skewX,transX,skewY,scaleY,transY in points, from the top left corner of the print area.',
  },
  header_matrix: {
    kind: matrix,
    description:
      'Transformation of the header, as in contents_matrix, from the top left corner of the header.',
  },
  footer_matrix: {
    kind: matrix,
    description:
      'Transformation of the footer, as in contents_matrix, from the top left corner of the footer.',
  },
  layout_dpi: {
    kind: integer(72, 600, 'dots per inch'),
    description: 'Resolution of internal positions.',
    noEffectReason: 'Platen keeps exact positions in a PDF',
  },
  disable_page_height_optimization: {
    kind: flag,
    description: 'Do not compensate for rounding from pixels to points.',
    noEffectReason: 'Platen does not round pages to whole pixels',
  },
  main_document_css_annotation: {
    kind: flag,
    description: 'Add classes with the page number to the body of the main document.',
    noEffectReason:
      'the main document is laid out once, not once for each page; headers and footers have these classes',
  },
  viewport_width: {
    kind: integer(96, 65_000, 'pixels'),
    description: 'Older name of content_viewport_width, which takes precedence.',
  },
  viewport_height: {
    kind: integer(1, 65_000, 'pixels'),
    description: 'Older name of content_viewport_height, which takes precedence.',
  },
  rendering_mode: {
    kind: oneOf(['default', 'viewport']),
    description: 'Older option: how the viewport is simulated.',
    noEffectReason: 'Platen always simulates the viewport; set its width with content_viewport_width',
  },
  smart_scaling_mode: {
    kind: oneOf([
      'default',
      'disabled',
      'viewport-fit',
      'content-fit',
      'single-page-fit',
      'single-page-fit-ex',
      'mode1',
    ]),
    description: 'Older name of content_fit_mode, which takes precedence.',
  },
});

function marginRow<const Side extends string>(side: Side) {
  return {
    kind: length,
    default: '0.4in',
    description: `Margin at the ${side} of each page.`,
  } as const;
}
