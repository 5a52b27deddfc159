/** The options for rendering: what to change in a page, and what to wait for, before it is converted. */
import { decimal, flag, integer, maxLengths, oneOf, text } from '../../fields/kinds.ts';
import { maxScriptLength } from '../option-kinds.ts';
import { optionGroup } from './option-row.ts';

export const renderingRows = optionGroup('Rendering', 'both', {
  use_print_media: {
    kind: flag,
    default: 'false',
    description:
      "Apply the page's @media print rules. Otherwise the page looks as on a screen, also in a PDF.",
  },
  no_background: {
    kind: flag,
    default: 'false',
    description: 'Do not print background colours and images.',
  },
  custom_css: {
    kind: text('a style sheet', maxScriptLength),
    description: 'Style sheet to add after those of the page. Its rules are not made !important.',
    content: true,
  },
  on_load_javascript: {
    kind: text('a script', maxScriptLength),
    description:
      'Script to run in the page as soon as it has loaded, before any waiting; libService is available. If the result is a promise, it is awaited. If the script throws, the conversion fails.',
    content: true,
  },
  custom_javascript: {
    kind: text('a script', maxScriptLength),
    description:
      'Script to run in the page when it is ready, before it is printed; the object libService provides helpers (docs/scripts.md). If the result is a promise, it is awaited. If the script throws, the conversion fails.',
    content: true,
  },
  javascript_delay: {
    kind: integer(0, 3_600_000, 'milliseconds'),
    description:
      'Wait exactly this many milliseconds after the page has loaded, instead of until it has settled (wait_until).',
  },
  wait_until: {
    kind: oneOf(['settled', 'loaded']),
    default: 'settled',
    description:
      'When a page that runs scripts is ready. settled: nothing that changes the page is in progress (requests, animations, timers), at the latest after settle_limit; timers and animations run faster than real time. loaded: fonts and images have loaded; nothing else is waited for, and the clock runs at normal speed.',
    isExtension: true,
  },
  settle_limit: {
    kind: integer(0, 3_600_000, 'milliseconds'),
    description:
      "Longest time for a page to settle, both by the page's clock and in real time; at most two thirds of the setting job-timeout (60 s). Default: the setting settle-limit (5 s).",
    isExtension: true,
  },
  wait_for_element: {
    kind: text('a list of CSS selectors', maxLengths.list),
    description:
      'Wait until an element that matches one of these CSS selectors is in the page or in one of its frames.',
  },
  device_pixel_ratio: {
    kind: decimal(1, 4),
    description:
      'Device pixels for each CSS pixel: sets the resolution of canvases, and which images srcset and image-set choose. Default: scale_factor for an image, from 1 to 4, and 1 for a PDF.',
    isExtension: true,
  },
  expand_scroll_areas: {
    kind: flag,
    default: 'false',
    description:
      'Show the whole content of scrolling areas: their height and width limits are removed, and grids that draw only visible rows get room for all of them.',
    isExtension: true,
  },
  fixed_elements: {
    kind: oneOf(['keep', 'first-page', 'hide']),
    default: 'keep',
    description:
      'How to treat elements with position: fixed, such as bars and cookie banners, which Chromium repeats on each page of a PDF. keep: leave them; an image of the whole page shows them once, with bars of the lower edge at the end. first-page: show them once, in their place on the first page or screen. hide: remove them. first-page and hide turn sticky elements into ordinary ones.',
    isExtension: true,
  },
  element_to_convert: {
    kind: text('a list of CSS selectors', maxLengths.list),
    description:
      'Convert only the first element that matches one of these CSS selectors when the page is ready. To wait for the element, use wait_for_element too.',
  },
  element_to_convert_mode: {
    kind: oneOf(['cut-out', 'remove-siblings', 'hide-siblings']),
    default: 'cut-out',
    description:
      'cut-out makes the element the only content of the page; remove-siblings keeps it in place and removes its siblings and those of its ancestors; hide-siblings sets these to display:none (docs/scripts.md).',
  },
  auto_detect_element_to_convert: {
    kind: flag,
    default: 'false',
    description:
      'Convert only the main content of the page, detected from its structure and text. A page without main content is left unchanged.',
  },
  readability_enhancements: {
    kind: oneOf(['none', 'readability-v1', 'readability-v2', 'readability-v3', 'readability-v4']),
    default: 'none',
    description:
      "Show the article of the page in plain styles, as a browser's reader mode does; higher versions keep less around the article (docs/scripts.md). A page without an article is left unchanged.",
  },
});
