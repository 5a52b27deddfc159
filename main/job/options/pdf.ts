/** The options of what is done to a printed PDF: facts about it, protection, images in it, how viewers open it. */
import { flag, integer, oneOf, text } from '../../fields/kinds.ts';
import { pdfPassword } from '../option-kinds.ts';
import { inGroup } from './option-row.ts';

export const pdfRows = inGroup('PDF', 'pdf', {
  title: { kind: text('a text'), says: 'Title of the document; without it that of the page.' },
  subject: { kind: text('a text'), says: 'Subject of the document.' },
  author: { kind: text('a text'), says: 'Author of the document.' },
  keywords: { kind: text('a text'), says: 'Keywords of the document.' },
  extract_meta_tags: {
    kind: flag,
    default: 'false',
    says: "Take author, keywords and subject, where they are not given, from the page's meta tags author, keywords and description.",
  },
  encrypt: {
    kind: flag,
    default: 'false',
    says: 'Encrypt the document (AES-256), with or without passwords.',
  },
  user_password: {
    kind: pdfPassword,
    says: 'Password that opens the document; encrypts it.',
    secret: true,
  },
  owner_password: {
    kind: pdfPassword,
    says: 'Password that lifts the restrictions; encrypts the document.',
    secret: true,
  },
  no_print: { kind: flag, default: 'false', says: 'Forbid printing; encrypts the document.' },
  no_modify: { kind: flag, default: 'false', says: 'Forbid changes; encrypts the document.' },
  no_copy: { kind: flag, default: 'false', says: 'Forbid copying text and images; encrypts the document.' },
  linearize: {
    kind: flag,
    default: 'false',
    says: 'Order the file so that a viewer shows its first page before the rest has arrived.',
  },
  enable_pdf_forms: {
    kind: flag,
    default: 'false',
    says: 'Make fields that can be filled in of the input, select, textarea and button elements.',
  },
  tagged: {
    kind: flag,
    default: 'false',
    says: 'Tag the document with its structure, for screen readers (PDF/UA). Takes time, and bytes.',
    own: true,
  },
  outline: {
    kind: flag,
    default: 'false',
    says: 'Make bookmarks of the headings; tags the document too.',
    own: true,
  },
});

export const pdfImageRows = inGroup('Images in the PDF', 'pdf', {
  jpeg_quality: {
    kind: integer(1, 100, 'percent'),
    default: '100',
    says: 'Quality of JPEG images in the document; 100 leaves them as they are.',
  },
  convert_images_to_jpeg: {
    kind: oneOf(['none', 'opaque', 'all']),
    default: 'none',
    says: 'Which other images become JPEG: those without transparency, or all, on the background colour of the page.',
  },
  image_dpi: {
    kind: integer(0, 10_000, 'dots per inch'),
    default: '0',
    says: 'Scale images down to this resolution on paper; 0 leaves them as they are.',
  },
});

export const viewerRows = inGroup('Viewer', 'pdf', {
  page_layout: {
    kind: oneOf(['single-page', 'one-column', 'two-column-left', 'two-column-right']),
    says: 'How a viewer lays out the pages at first.',
  },
  page_mode: {
    kind: oneOf(['full-screen', 'thumbnails', 'outlines']),
    says: 'What a viewer shows beside the pages at first.',
  },
  initial_zoom_type: {
    kind: oneOf(['fit-width', 'fit-height', 'fit-page']),
    says: 'Zoom a viewer begins with.',
  },
  initial_page: { kind: integer(1, 1_000_000), says: 'Page a viewer begins with.' },
  initial_zoom: { kind: integer(1, 10_000, 'percent'), says: 'Zoom a viewer begins with, in percent.' },
  hide_toolbar: { kind: flag, default: 'false', says: "Hide the viewer's tool bars." },
  hide_menubar: { kind: flag, default: 'false', says: "Hide the viewer's menu bar." },
  hide_window_ui: { kind: flag, default: 'false', says: "Hide the viewer's scroll bars and controls." },
  fit_window: { kind: flag, default: 'false', says: "Fit the viewer's window to the first page." },
  center_window: { kind: flag, default: 'false', says: "Centre the viewer's window." },
  display_title: {
    kind: flag,
    default: 'false',
    says: "Show the document's title instead of its file name in the viewer's title bar.",
  },
  right_to_left: {
    kind: flag,
    default: 'false',
    says: 'The document reads from right to left: two pages side by side stand in that order.',
  },
});
