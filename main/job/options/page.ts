/** The options of the paper: its size, its margins, what is laid on it and how large. */
import { flag, integer, oneOf } from '../../fields/kinds.ts';
import { length } from '../../fields/measures.ts';
import { conversionConfig } from '../conversion-config.ts';
import {
  lengthOrContent,
  matrix,
  signedLength,
  upload,
  viewportHeight,
  viewportWidth,
} from '../option-kinds.ts';
import { pageRange } from '../page-range.ts';
import { paperSizes, type PaperName } from '../paper-sizes.ts';
import { inGroup } from './option-row.ts';

const paperNames = Object.keys(paperSizes) as PaperName[];

const configLimits =
  'paper, margins, heights and none can be set for pages 1, odd, even and all; the rest for any pages';

export const pageRows = inGroup('Page', 'pdf', {
  page_size: {
    kind: oneOf(paperNames),
    default: 'A4',
    says: 'Named paper size.',
  },
  page_width: {
    kind: length,
    says: 'Width of the paper, up to 200in; beats that of page_size.',
  },
  page_height: {
    kind: lengthOrContent,
    says: 'Height of the paper, up to 200in; beats that of page_size. -1 makes one page as tall as the content.',
  },
  orientation: {
    kind: oneOf(['portrait', 'landscape']),
    default: 'portrait',
    says: 'landscape lays the longer side of the paper horizontally; portrait leaves it as page_size, page_width and page_height give it.',
  },
  margin_top: marginRow('top'),
  margin_right: marginRow('right'),
  margin_bottom: marginRow('bottom'),
  margin_left: marginRow('left'),
  no_margins: {
    kind: flag,
    default: 'false',
    says: 'Leave no margins, whatever the four others say.',
  },
  print_page_range: {
    kind: pageRange,
    says: 'The pages that come back, such as 1-3,7- or odd,last. Page numbers in headers and footers are those of the output.',
  },
  content_viewport_width: {
    kind: viewportWidth,
    output: 'both',
    default: 'medium',
    says: 'Width of the layout in CSS pixels. A PDF is scaled so that this width fills the print area; balanced takes the narrowest width, from the print area up, at which nothing overflows. A picture is laid out screenshot_width wide when this is not given.',
  },
  content_viewport_height: {
    kind: viewportHeight,
    default: 'auto',
    says: 'Height of the window the page is loaded in, in CSS pixels; auto is that of the print area, large 10000. A high one makes lazy parts load.',
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
    says: 'How the layout is scaled to the print area. viewport-width (and auto): content_viewport_width fills it. smart-scaling: the same, but wider content is made to fit. content-width: the content alone fills it. no-scaling: a CSS pixel is 1/96in, what is too wide is cut. single-page: everything on one page. single-page-ratio: the same, laid out wider until it has the shape of the page.',
  },
  scale_factor: {
    kind: integer(10, 500, 'percent'),
    output: 'both',
    default: '100',
    says: 'Zoom. The content of a PDF is laid out and printed that much larger, headers and footers not; a picture becomes screenshot_width x scale_factor% pixels wide.',
  },
  css_page_rule_mode: {
    kind: oneOf(['default', 'mode1', 'mode2']),
    default: 'default',
    says: "Which wins, these options or the size and margins of the page's own @page rules: default and mode1 these options, mode2 the rules. Header and footer stay where margin_top and margin_bottom put them.",
  },
  remove_blank_pages: {
    kind: oneOf(['trailing', 'all', 'none']),
    default: 'trailing',
    says: 'Which pages without any content are left out.',
  },
  conversion_config: {
    limits: configLimits,
    kind: conversionConfig,
    says: 'Set-up for some of the pages, as JSON: {"pageSetup": [{"pages": "1", "marginTop": "2in", "displayHeader": "none"}]} (docs/page-setup.md).',
  },
  conversion_config_file: {
    limits: configLimits,
    kind: upload,
    says: 'The same as a file part.',
  },
});

export const fineTuningRows = inGroup('Fine tuning', 'pdf', {
  content_area_x: {
    kind: signedLength,
    default: '0in',
    says: 'Moves the content to the right of where the print area begins, or to the left when negative.',
  },
  content_area_y: {
    kind: signedLength,
    default: '0in',
    says: 'Moves the content down, or up when negative.',
  },
  content_area_width: {
    kind: length,
    says: 'Width of the area that the content is laid out for, instead of the print area.',
  },
  content_area_height: {
    kind: length,
    says: 'Height of the area that the content is laid out for, instead of the print area.',
  },
  contents_matrix: {
    kind: matrix,
    says: 'Transforms the content of each page: scaleX,skewX,transX,skewY,scaleY,transY in points, from the top left corner of the print area.',
  },
  header_matrix: {
    kind: matrix,
    says: 'The same for the header, from its own corner.',
  },
  footer_matrix: {
    kind: matrix,
    says: 'The same for the footer, from its own corner.',
  },
  layout_dpi: {
    kind: integer(72, 600, 'dots per inch'),
    says: 'Resolution of internal positions.',
    withoutEffect: 'positions in a PDF are exact here',
  },
  disable_page_height_optimization: {
    kind: flag,
    says: 'Do not compensate for rounding from pixels to points.',
    withoutEffect: 'pages are not rounded to whole pixels here',
  },
  main_document_css_annotation: {
    kind: flag,
    says: 'Classes with the page number on the body of the main document.',
    withoutEffect:
      'the main document is laid out once, not once for each page; headers and footers have these classes',
  },
  viewport_width: {
    kind: integer(96, 65_000, 'pixels'),
    says: 'Older name of content_viewport_width, which beats it.',
  },
  viewport_height: {
    kind: integer(1, 65_000, 'pixels'),
    says: 'Older name of content_viewport_height, which beats it.',
  },
  rendering_mode: {
    kind: oneOf(['default', 'viewport']),
    says: 'Older choice of how the viewport is simulated.',
    withoutEffect: 'the viewport is always simulated here; set its width with content_viewport_width',
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
    says: 'Older name of content_fit_mode, which beats it.',
  },
});

function marginRow<const Side extends string>(side: Side) {
  return {
    kind: length,
    default: '0.4in',
    says: `Space left free at the ${side} of each page.`,
  } as const;
}
