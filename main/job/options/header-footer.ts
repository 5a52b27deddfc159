/** The options of headers and footers, and of what else lies over or under the pages. */
import { flag, integer, text } from '../../fields/kinds.ts';
import { length } from '../../fields/measures.ts';
import { colour, upload, webAddress } from '../option-kinds.ts';
import { pageList } from '../page-range.ts';
import { inGroup } from './option-row.ts';

export const headerFooterRows = inGroup('Header and footer', 'pdf', {
  ...side('header', 'below the top margin'),
  ...side('footer', 'above the bottom margin'),
  no_header_footer_horizontal_margins: {
    kind: flag,
    default: 'false',
    says: 'Make header and footer as wide as the paper instead of the print area.',
  },
  header_footer_scale_factor: {
    kind: integer(10, 500, 'percent'),
    default: '100',
    says: 'Zoom of header and footer.',
  },
  page_numbering_offset: {
    kind: integer(-1_000_000, 1_000_000),
    default: '0',
    says: 'Is added to the printed page numbers: with 10 the first page has number 11.',
  },
  header_footer_css_annotation: {
    kind: flag,
    default: 'false',
    says: 'The body of header and footer has the classes service-page-N, service-page-count-N, service-page-first, -last, -odd and -even. They are there without this option too.',
  },
});

function side<const S extends 'header' | 'footer'>(name: S, place: string) {
  const rows = {
    [`${name}_html`]: {
      kind: text('HTML'),
      says: `HTML of the ${name}, a document of its own ${place}. Elements of the classes service-page-number, service-page-count, service-source-url and service-source-title are filled. Relative addresses start from the main document's.`,
      content: true,
    },
    [`${name}_url`]: {
      kind: webAddress,
      says: `Address of the HTML of the ${name}. Its TLS certificate must be valid, whatever verify_ssl_certificates says.`,
    },
    [`${name}_height`]: {
      kind: length,
      default: '0.5in',
      says: `Height that the ${name} takes from the print area, when there is one. What is taller is cut.`,
    },
    [`exclude_${name}_on_pages`]: {
      kind: pageList,
      says: `Pages without the ${name}, such as 1,-1; negative numbers count from the end. Its space stays free.`,
    },
  };
  return rows as {
    readonly [N in `${S}_html`]: { kind: ReturnType<typeof text>; says: string; content: true };
  } & { readonly [N in `${S}_url`]: { kind: typeof webAddress; says: string } } & {
    readonly [N in `${S}_height`]: { kind: typeof length; default: '0.5in'; says: string };
  } & { readonly [N in `exclude_${S}_on_pages`]: { kind: typeof pageList; says: string } };
}

export const stampRows = inGroup('Watermark and background', 'pdf', {
  page_watermark: {
    kind: upload,
    says: 'A PDF or a picture, as a file part, whose first page is laid over every page.',
  },
  page_watermark_url: { kind: webAddress, says: 'The same by its address.' },
  multipage_watermark: {
    kind: upload,
    says: 'A PDF or a picture whose pages are laid over those of the document, the last one over all that follow.',
  },
  multipage_watermark_url: { kind: webAddress, says: 'The same by its address.' },
  page_background: {
    kind: upload,
    says: 'A PDF or a picture, as a file part, whose first page is laid under every page.',
  },
  page_background_url: { kind: webAddress, says: 'The same by its address.' },
  multipage_background: {
    kind: upload,
    says: 'A PDF or a picture whose pages are laid under those of the document, the last one under all that follow.',
  },
  multipage_background_url: { kind: webAddress, says: 'The same by its address.' },
  page_background_color: {
    kind: colour,
    says: 'Fills the whole page, margins included, under everything else.',
  },
});
