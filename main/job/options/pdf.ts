/** The options for finishing a printed PDF: metadata, protection, attached files, images, and how viewers open it. */
import { flag, integer, length, oneOf, text } from '../../fields/kinds.ts';
import { pdfDate, pdfPassword, pdfStandardList, relationships, upload } from '../option-kinds.ts';
import { optionGroup } from './option-row.ts';

export const pdfRows = optionGroup('PDF', 'pdf', {
  title: { kind: text('text'), description: 'Title of the document. Default: the title of the page.' },
  subject: { kind: text('text'), description: 'Subject of the document.' },
  author: { kind: text('text'), description: 'Author of the document.' },
  keywords: { kind: text('text'), description: 'Keywords of the document.' },
  extract_meta_tags: {
    kind: flag,
    default: 'false',
    description:
      "Fill author, keywords and subject, if absent, from the page's meta tags author, keywords and description.",
  },
  encrypt: {
    kind: flag,
    default: 'false',
    description: 'Encrypt the document (AES-256), with or without passwords.',
  },
  user_password: {
    kind: pdfPassword,
    description: 'Password to open the document. Turns on encryption.',
    secret: true,
  },
  owner_password: {
    kind: pdfPassword,
    description: 'Password to lift the restrictions. Turns on encryption.',
    secret: true,
  },
  no_print: { kind: flag, default: 'false', description: 'Forbid printing. Turns on encryption.' },
  no_modify: { kind: flag, default: 'false', description: 'Forbid changes. Turns on encryption.' },
  no_copy: {
    kind: flag,
    default: 'false',
    description: 'Forbid copying text and images. Turns on encryption.',
  },
  linearize: {
    kind: flag,
    default: 'false',
    description: 'Order the file so that a viewer can show the first page while the rest is still loading.',
  },
  enable_pdf_forms: {
    kind: flag,
    default: 'false',
    description: 'Turn input, select, textarea and button elements into form fields of the PDF.',
  },
  tagged: {
    kind: flag,
    default: 'false',
    description:
      'Tag the document with its structure, for screen readers. Conversion takes longer and the file is larger. pdf_standard=pdfua-1 also checks and completes the structure.',
    isExtension: true,
  },
  pdf_standard: {
    kind: pdfStandardList,
    description:
      'Standards to which the document conforms: for archiving, PDF/A-2 or PDF/A-3, with extractable text (u) or without that promise (b), not together with encryption; for screen readers, PDF/UA-1.',
    isExtension: true,
  },
  creation_date: {
    kind: pdfDate,
    description:
      'Date of creation in the document, by default the time of the conversion. With it, the same request to the same version gives the same bytes, except for signed documents, which carry the time of signing, and for encrypted documents, which need random keys.',
    isExtension: true,
  },
  pdf_standard_strict: {
    kind: flag,
    default: 'true',
    description:
      'Refuse a document that cannot conform to pdf_standard. false: return it without the claim, with a note for each reason.',
    isExtension: true,
  },
  outline: {
    kind: flag,
    default: 'false',
    description: 'Turn the headings into bookmarks. Also tags the document.',
    isExtension: true,
  },
});

export const attachmentRows = optionGroup('Attachments', 'pdf', {
  attachment: {
    kind: upload,
    description:
      'A file to attach to the document, as a file part. Send the field several times for several files. Its media type is the content type of the part or, if that is application/octet-stream or text/plain, that of the file name extension.',
    isRepeatable: true,
    isExtension: true,
  },
  attachment_description: {
    kind: text('text'),
    description:
      'Description of an attachment, which viewers show. Send the field several times, in the order of the attachments.',
    isRepeatable: true,
    isExtension: true,
  },
  attachment_relationship: {
    kind: oneOf(relationships),
    description:
      'How an attachment is related to the document: its source, data shown in it, another form of it, an addition, or unspecified (the default). Send the field several times, in the order of the attachments.',
    isRepeatable: true,
    isExtension: true,
  },
  invoice_xml: {
    kind: upload,
    description:
      'The XML of an e-invoice (Factur-X, ZUGFeRD 2.x, XRechnung in CII), as a file part. The document becomes an e-invoice in PDF/A-3b, or in the PDF/A-3 of pdf_standard. The profile is read from the XML, which must conform to its schema (docs/e-invoices.md).',
    isExtension: true,
  },
});

export const signatureRows = optionGroup('Signature', 'pdf', {
  sign: {
    kind: flag,
    default: 'false',
    description:
      "Sign the document with the account's certificate (PAdES baseline B, with a time stamp B-T), which the operator sets (docs/signatures.md).",
    isExtension: true,
  },
  signature_reason: {
    kind: text('text'),
    description: 'Why the document is signed, as viewers show it.',
    isExtension: true,
  },
  signature_location: {
    kind: text('text'),
    description: 'Where the document is signed, as viewers show it.',
    isExtension: true,
  },
  signature_page: {
    kind: integer(-1_000_000, 1_000_000),
    default: '-1',
    description:
      'Page with the visible signature; negative numbers count from the end. The signature is visible if this option, signature_x, signature_y, signature_width or signature_height is given.',
    isExtension: true,
  },
  signature_x: {
    kind: length,
    default: '0.4in',
    description: 'Distance of the visible signature from the left edge of the page.',
    isExtension: true,
  },
  signature_y: {
    kind: length,
    description:
      'Distance of the visible signature from the upper edge of the page. Default: 0.4in above the lower edge.',
    isExtension: true,
  },
  signature_width: {
    kind: length,
    default: '2.5in',
    description: 'Width of the visible signature.',
    isExtension: true,
  },
  signature_height: {
    kind: length,
    default: '0.8in',
    description: 'Height of the visible signature. Its text takes the size that fits.',
    isExtension: true,
  },
});

export const pdfImageRows = optionGroup('Images in the PDF', 'pdf', {
  jpeg_quality: {
    kind: integer(1, 100, 'percent'),
    default: '100',
    description: 'Quality of JPEG images in the document; 100 leaves them as they are.',
  },
  convert_images_to_jpeg: {
    kind: oneOf(['none', 'opaque', 'all']),
    default: 'none',
    description:
      'Other images to convert to JPEG: those without transparency (opaque), or all, on the background colour of the page.',
  },
  image_dpi: {
    kind: integer(0, 10_000, 'dots per inch'),
    default: '0',
    description: 'Scale images down to this resolution on paper; 0 leaves them as they are.',
  },
});

export const viewerRows = optionGroup('Viewer', 'pdf', {
  page_layout: {
    kind: oneOf(['single-page', 'one-column', 'two-column-left', 'two-column-right']),
    description: 'How a viewer initially lays out the pages.',
  },
  page_mode: {
    kind: oneOf(['full-screen', 'thumbnails', 'outlines']),
    description: 'What a viewer initially shows beside the pages.',
  },
  initial_zoom_type: {
    kind: oneOf(['fit-width', 'fit-height', 'fit-page']),
    description: 'Initial zoom of a viewer.',
  },
  initial_page: { kind: integer(1, 1_000_000), description: 'Page that a viewer shows first.' },
  initial_zoom: { kind: integer(1, 10_000, 'percent'), description: 'Initial zoom of a viewer, in percent.' },
  hide_toolbar: { kind: flag, default: 'false', description: "Hide the viewer's tool bars." },
  hide_menubar: { kind: flag, default: 'false', description: "Hide the viewer's menu bar." },
  hide_window_ui: {
    kind: flag,
    default: 'false',
    description: "Hide the viewer's scroll bars and controls.",
  },
  fit_window: { kind: flag, default: 'false', description: "Fit the viewer's window to the first page." },
  center_window: { kind: flag, default: 'false', description: "Centre the viewer's window." },
  display_title: {
    kind: flag,
    default: 'false',
    description: "Show the document's title instead of its file name in the viewer's title bar.",
  },
  right_to_left: {
    kind: flag,
    default: 'false',
    description:
      'Mark the document as reading from right to left, so that a viewer shows two pages side by side in that order.',
  },
});
