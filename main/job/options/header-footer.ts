/** The options for headers and footers, and for watermarks and backgrounds. */
import { flag, integer, length, text } from '../../fields/kinds.ts';
import { colour, maxHeaderFooterLength, upload, webAddress } from '../option-kinds.ts';
import { pageList } from '../page-range.ts';
import { optionGroup } from './option-row.ts';

export const headerFooterRows = optionGroup('Header and footer', 'pdf', {
  ...side('header', 'below the top margin'),
  ...side('footer', 'above the bottom margin'),
  no_header_footer_horizontal_margins: {
    kind: flag,
    default: 'false',
    description: 'Make the header and the footer as wide as the paper instead of the print area.',
  },
  header_footer_scale_factor: {
    kind: integer(10, 500, 'percent'),
    default: '100',
    description: 'Zoom of the header and the footer.',
  },
  page_numbering_offset: {
    kind: integer(-1_000_000, 1_000_000),
    default: '0',
    description: 'Number added to the printed page numbers: with 10, the first page has number 11.',
  },
  header_footer_css_annotation: {
    kind: flag,
    default: 'false',
    description:
      'Add the classes service-page-N, service-page-count-N, service-page-first, -last, -odd and -even to the body of the header and the footer. They are always added, also without this option.',
  },
});

function side<const S extends 'header' | 'footer'>(name: S, place: string) {
  const rows = {
    [`${name}_html`]: {
      kind: text('HTML', maxHeaderFooterLength),
      description: `HTML of the ${name}, a separate document ${place}. Elements with the classes service-page-number, service-page-count, service-source-url and service-source-title are filled. Relative addresses are resolved against the main document.`,
      content: true,
    },
    [`${name}_url`]: {
      kind: webAddress,
      description: `Address of the HTML of the ${name}. Its TLS certificate must be valid, even if verify_ssl_certificates is false.`,
    },
    [`${name}_height`]: {
      kind: length,
      default: '0.5in',
      description: `Height that a ${name} takes from the print area. Taller content is cut off.`,
    },
    [`exclude_${name}_on_pages`]: {
      kind: pageList,
      description: `Pages without the ${name}, such as 1,-1; negative numbers count from the end. The space stays empty.`,
    },
  };
  return rows as {
    readonly [N in `${S}_html`]: { kind: ReturnType<typeof text>; description: string; content: true };
  } & { readonly [N in `${S}_url`]: { kind: typeof webAddress; description: string } } & {
    readonly [N in `${S}_height`]: { kind: typeof length; default: '0.5in'; description: string };
  } & { readonly [N in `exclude_${S}_on_pages`]: { kind: typeof pageList; description: string } };
}

export const stampRows = optionGroup('Watermark and background', 'pdf', {
  page_watermark: {
    kind: upload,
    description: 'A PDF or an image, as a file part, whose first page is placed over every page.',
  },
  page_watermark_url: { kind: webAddress, description: 'Address to load page_watermark from.' },
  multipage_watermark: {
    kind: upload,
    description:
      'A PDF or an image whose pages are placed over the pages of the document, one over each; its last page repeats on the remaining pages.',
  },
  multipage_watermark_url: { kind: webAddress, description: 'Address to load multipage_watermark from.' },
  page_background: {
    kind: upload,
    description: 'A PDF or an image, as a file part, whose first page is placed under every page.',
  },
  page_background_url: { kind: webAddress, description: 'Address to load page_background from.' },
  multipage_background: {
    kind: upload,
    description:
      'A PDF or an image whose pages are placed under the pages of the document, one under each; its last page repeats on the remaining pages.',
  },
  multipage_background_url: { kind: webAddress, description: 'Address to load multipage_background from.' },
  page_background_color: {
    kind: colour,
    description: 'Colour that fills the whole page, including the margins, under everything else.',
  },
});
