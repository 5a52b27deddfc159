/** The options of rendering: what is changed in a page, and what is awaited, before it is converted. */
import { flag, integer, oneOf, text } from '../../fields/kinds.ts';
import { inGroup } from './option-row.ts';

export const renderingRows = inGroup('Rendering', 'both', {
  use_print_media: {
    kind: flag,
    default: 'false',
    says: "Apply the page's @media print rules. Otherwise the page looks as on a screen, in a PDF too.",
  },
  no_background: {
    kind: flag,
    default: 'false',
    says: 'Print no background colours and images.',
  },
  custom_css: {
    kind: text('a style sheet'),
    says: 'A style sheet added after those of the page. Nothing is made !important by itself.',
    content: true,
  },
  on_load_javascript: {
    kind: text('a script'),
    says: 'A script run in the page as soon as it has loaded, before anything is waited for; it has libService too. A promise it ends with is awaited. If it throws, the conversion fails.',
    content: true,
  },
  custom_javascript: {
    kind: text('a script'),
    says: 'A script run in the page when it is ready, before it is printed; the object libService has helpers (docs/scripts.md). A promise it ends with is awaited. If it throws, the conversion fails.',
    content: true,
  },
  javascript_delay: {
    kind: integer(0, 3_600_000, 'milliseconds'),
    says: 'Wait exactly this many milliseconds after the page has loaded. Without it, a page that runs scripts gets up to 200 ms to fall quiet.',
  },
  wait_for_element: {
    kind: text('a list of CSS selectors'),
    says: 'Wait until an element matching one of these CSS selectors is in the page or in one of its frames.',
  },
  element_to_convert: {
    kind: text('a list of CSS selectors'),
    says: 'Convert only the first element that matches one of these CSS selectors when the page is ready. It is not waited for: wait_for_element does that.',
  },
  element_to_convert_mode: {
    kind: oneOf(['cut-out', 'remove-siblings', 'hide-siblings']),
    default: 'cut-out',
    says: 'cut-out makes the element the only content of the page; remove-siblings leaves it where it is and removes what is beside it and its ancestors; hide-siblings gives that display:none (docs/scripts.md).',
  },
  auto_detect_element_to_convert: {
    kind: flag,
    default: 'false',
    says: 'Convert only the main content of the page, found by its structure and its text. A page without any is left as it is.',
  },
  readability_enhancements: {
    kind: oneOf(['none', 'readability-v1', 'readability-v2', 'readability-v3', 'readability-v4']),
    default: 'none',
    says: "Show the article of the page in plain styles, as a browser's reader mode does; higher versions keep less beside it (docs/scripts.md). A page without an article is left as it is.",
  },
});
