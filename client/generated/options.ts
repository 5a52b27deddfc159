/** Generated from the OpenAPI document by `npm run generate`; edit the tables in main/ instead. */
import type { FileInput } from '../file-input.ts';

/** The options of a conversion by their names in the HTTP API. Undefined options are not sent. */
export interface ConversionOptions {
  // Input

  /**
   * HTML file to convert if an archive contains several. Default: the only HTML file in the top folder, else its index.html,
   * else its first one. Without one there, the only HTML file or the only index.html of the subfolders.
   */
  readonly zip_main_filename?: string | undefined;
  /** HTML file in the archive to use as the header of each page. PDF only. */
  readonly zip_header_filename?: string | undefined;
  /** HTML file in the archive to use as the footer of each page. PDF only. */
  readonly zip_footer_filename?: string | undefined;
  /** Character set of a page that declares none. Examples: 'utf-8', 'windows-1252'. */
  readonly default_encoding?: string | undefined;

  // Data

  /** Data, as a file part. The HTML is then a template that this data fills (docs/templates.md). */
  readonly data_file?: FileInput | undefined;
  /** Data, as the value of a field. data_file takes precedence. */
  readonly data_string?: string | undefined;
  /** Format of the data; auto detects it from the content. Default: auto. */
  readonly data_format?: 'auto' | 'json' | 'xml' | 'yaml' | 'csv' | undefined;
  /** Character set of data_file. A byte order mark takes precedence. Default: utf-8. */
  readonly data_encoding?: string | undefined;
  /** csv_delimiter, xml_remove_root and data_root (the name for data that has none; default: data). */
  readonly data_options?: string | undefined;
  /** Treat values that are missing in the data as empty. Otherwise they fail the conversion. Default: false. */
  readonly data_ignore_undefined?: boolean | undefined;
  /** Escape HTML in values. By default, Handlebars escapes and Jinja does not. */
  readonly data_auto_escape?: boolean | undefined;
  /** Remove the line break after a block tag of a Jinja template. Default: false. */
  readonly data_trim_blocks?: boolean | undefined;
  /** Markers of a variable in a Jinja template: {{ }}, [[ ]] or << >>. Default: standard. */
  readonly data_variable_markers?: 'standard' | 'square' | 'angle' | undefined;
  /** Language of the template; auto chooses Jinja when the template has {% %} tags. Default: auto. */
  readonly template_engine?: 'auto' | 'handlebars' | 'jinja' | undefined;

  // Format

  /** Format of the output: a PDF document, or an image of the whole page. Default: pdf. */
  readonly output_format?: 'pdf' | 'png' | 'jpg' | 'webp' | 'gif' | 'tiff' | 'bmp' | 'avif' | 'ico' | 'ppm' | 'pgm' | 'pbm' | 'pnm' | 'tga' | 'sgi' | 'ras' | 'sun' | undefined;
  /** Format of the input. Every input is HTML, or an archive or a template of HTML. Default: html. */
  readonly input_format?: 'html' | undefined;
  /**
   * File name in the Content-Disposition header of the response, including the extension. Default: document.pdf, image.png
   * and so on. Examples: 'invoice.pdf'.
   */
  readonly output_name?: string | undefined;
  /** Whether a browser saves the output or shows it. Default: attachment. */
  readonly content_disposition?: 'attachment' | 'inline' | undefined;

  // Page

  /** Named paper size. Default: A4. PDF only. */
  readonly page_size?: 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | undefined;
  /** Width of the paper, up to 200in. Takes precedence over page_size. Examples: '0.4in', '15mm'. PDF only. */
  readonly page_width?: string | undefined;
  /**
   * Height of the paper, up to 200in. Takes precedence over page_size. -1 makes one page as tall as the content. Examples:
   * '0.4in', '15mm'. PDF only.
   */
  readonly page_height?: string | undefined;
  /**
   * landscape turns the longer side of the paper horizontal; portrait leaves the paper as page_size, page_width and
   * page_height define it. Default: portrait. PDF only.
   */
  readonly orientation?: 'portrait' | 'landscape' | undefined;
  /** Margin at the top of each page. Examples: '0.4in', '15mm'. Default: 0.4in. PDF only. */
  readonly margin_top?: string | undefined;
  /** Margin at the right of each page. Examples: '0.4in', '15mm'. Default: 0.4in. PDF only. */
  readonly margin_right?: string | undefined;
  /** Margin at the bottom of each page. Examples: '0.4in', '15mm'. Default: 0.4in. PDF only. */
  readonly margin_bottom?: string | undefined;
  /** Margin at the left of each page. Examples: '0.4in', '15mm'. Default: 0.4in. PDF only. */
  readonly margin_left?: string | undefined;
  /**
   * Set all four margins to 0, whatever margin_top, margin_right, margin_bottom and margin_left are. Default: false. PDF
   * only.
   */
  readonly no_margins?: boolean | undefined;
  /**
   * Pages of the document to output, such as 1-3,7- or odd,last. Page numbers in headers and footers are those of the
   * output. Examples: '1-3,7-', 'odd,last'. PDF only.
   */
  readonly print_page_range?: string | undefined;
  /**
   * Width of the layout in CSS pixels. A PDF is scaled so that this width fills the print area; balanced chooses the
   * narrowest width, from the width of the print area up, at which nothing overflows. An image uses screenshot_width instead
   * of the default. Examples: 'medium', '800px', 'balanced'. Default: medium.
   */
  readonly content_viewport_width?: string | undefined;
  /**
   * Height of the viewport in CSS pixels while the page loads; lengths in vh depend on it. auto is the height of the print
   * area, large is 10000. Lazy content loads at any height. An image uses screenshot_height instead. Examples: 'auto',
   * '5000px'. Default: auto. PDF only.
   */
  readonly content_viewport_height?: string | undefined;
  /**
   * How the layout is scaled to the print area. viewport-width (and auto): content_viewport_width fills the print area.
   * smart-scaling: the same, but wider content is scaled down to fit. With expand_scroll_areas, auto does this too.
   * content-width: the content alone fills the print area. no-scaling: a CSS pixel is 1/96in, and wider content is cut off.
   * single-page: everything is on one page. single-page-ratio: the same, with a layout wide enough to have the shape of the
   * page. Default: auto. PDF only.
   */
  readonly content_fit_mode?: 'auto' | 'smart-scaling' | 'no-scaling' | 'viewport-width' | 'content-width' | 'single-page' | 'single-page-ratio' | undefined;
  /**
   * Zoom. The content of a PDF, without headers and footers, is laid out and printed that much larger. An image is
   * screenshot_width x scale_factor% pixels wide. From 10 to 500. Default: 100.
   */
  readonly scale_factor?: number | undefined;
  /**
   * Whether the page options or the page's own @page rules set the paper size and the margins: mode1 uses the options, mode2
   * the rules. margin_top and margin_bottom position the header and the footer in both modes. If the request contains
   * neither this option nor one for paper or margins, a page whose rules name a size is printed on that size. An explicit
   * default means mode1. Default: default. PDF only.
   */
  readonly css_page_rule_mode?: 'default' | 'mode1' | 'mode2' | undefined;
  /** Empty pages to remove. Default: trailing. PDF only. */
  readonly remove_blank_pages?: 'trailing' | 'all' | 'none' | undefined;
  /**
   * Setup of individual pages, as JSON: {"pageSetup": [{"pages": "1", "marginTop": "2in", "displayHeader": "none"}]}
   * (docs/page-setup.md). Examples: '{"pageSetup": [{"pages": "1", "displayHeader": "none"}]}'. PDF only.
   */
  readonly conversion_config?: string | undefined;
  /** conversion_config as a file part. PDF only. */
  readonly conversion_config_file?: FileInput | undefined;

  // Header and footer

  /**
   * HTML of the header, a separate document below the top margin. Elements with the classes service-page-number,
   * service-page-count, service-source-url and service-source-title are filled. Relative addresses are resolved against the
   * main document. PDF only.
   */
  readonly header_html?: string | undefined;
  /**
   * Address of the HTML of the header. Its TLS certificate must be valid, even if verify_ssl_certificates is false.
   * Examples: 'https://example.com/letterhead.html'. PDF only.
   */
  readonly header_url?: string | undefined;
  /**
   * Height that a header takes from the print area. Taller content is cut off. Examples: '0.4in', '15mm'. Default: 0.5in.
   * PDF only.
   */
  readonly header_height?: string | undefined;
  /**
   * Pages without the header, such as 1,-1; negative numbers count from the end. The space stays empty. Examples: '1,-1'.
   * PDF only.
   */
  readonly exclude_header_on_pages?: string | undefined;
  /**
   * HTML of the footer, a separate document above the bottom margin. Elements with the classes service-page-number,
   * service-page-count, service-source-url and service-source-title are filled. Relative addresses are resolved against the
   * main document. PDF only.
   */
  readonly footer_html?: string | undefined;
  /**
   * Address of the HTML of the footer. Its TLS certificate must be valid, even if verify_ssl_certificates is false.
   * Examples: 'https://example.com/letterhead.html'. PDF only.
   */
  readonly footer_url?: string | undefined;
  /**
   * Height that a footer takes from the print area. Taller content is cut off. Examples: '0.4in', '15mm'. Default: 0.5in.
   * PDF only.
   */
  readonly footer_height?: string | undefined;
  /**
   * Pages without the footer, such as 1,-1; negative numbers count from the end. The space stays empty. Examples: '1,-1'.
   * PDF only.
   */
  readonly exclude_footer_on_pages?: string | undefined;
  /** Make the header and the footer as wide as the paper instead of the print area. Default: false. PDF only. */
  readonly no_header_footer_horizontal_margins?: boolean | undefined;
  /** Zoom of the header and the footer. From 10 to 500. Default: 100. PDF only. */
  readonly header_footer_scale_factor?: number | undefined;
  /**
   * Number added to the printed page numbers: with 10, the first page has number 11. From -1000000 to 1000000. Default: 0.
   * PDF only.
   */
  readonly page_numbering_offset?: number | undefined;
  /**
   * Add the classes service-page-N, service-page-count-N, service-page-first, -last, -odd and -even to the body of the
   * header and the footer. They are always added, also without this option. Default: false. PDF only.
   */
  readonly header_footer_css_annotation?: boolean | undefined;

  // Loading

  /**
   * Cookies for loading the page, as name=value;name=value. Sent to the site of url; when the request contains the document
   * itself, to every address it loads from. Examples: 'session=abc;language=en'.
   */
  readonly cookies?: string | undefined;
  /**
   * Header to add to every request, as Name:value. Sent to the site of url; when the request contains the document itself,
   * to every address it loads from. Examples: 'X-Department: Sales'.
   */
  readonly custom_http_header?: string | undefined;
  /**
   * User name for a page behind HTTP authentication. Sent to the site of url; when the request contains the document itself,
   * to every address it loads from.
   */
  readonly http_auth_user_name?: string | undefined;
  /** Password for a page behind HTTP authentication. */
  readonly http_auth_password?: string | undefined;
  /** A PKCS #12 certificate (.p12, .pfx), as a file part, presented to the site of url on request. */
  readonly client_certificate?: FileInput | undefined;
  /** Password of client_certificate. */
  readonly client_certificate_password?: string | undefined;
  /**
   * Load nothing from a site whose TLS certificate is not valid. With --alias pdfcrowd, the default is false, as in
   * Pdfcrowd. Default: true.
   */
  readonly verify_ssl_certificates?: boolean | undefined;
  /**
   * Proxy for http addresses. The network policy applies to the proxy and to the addresses loaded through it. Examples:
   * 'proxy.example.com:3128'.
   */
  readonly http_proxy?: string | undefined;
  /** Proxy for https addresses. Examples: 'proxy.example.com:3128'. */
  readonly https_proxy?: string | undefined;
  /** User agent of the browser. Default: latest-chrome-desktop. */
  readonly converter_user_agent?: string | undefined;
  /** Older form of converter_user_agent=latest-chrome-mobile. Default: false. */
  readonly use_mobile_user_agent?: boolean | undefined;
  /**
   * Language to request the page in, and to format dates, numbers and currencies in its scripts and in a template. Examples:
   * 'en-US', 'de-DE'. Default: en-US.
   */
  readonly locale?: string | undefined;
  /** Do not run the scripts of the page. custom_javascript and on_load_javascript still run. Default: false. */
  readonly disable_javascript?: boolean | undefined;
  /** Load no images. Default: false. */
  readonly disable_image_loading?: boolean | undefined;
  /** Load no fonts from the network. Default: false. */
  readonly disable_remote_fonts?: boolean | undefined;
  /** Frames of the page to load. Default: all. */
  readonly load_iframes?: 'all' | 'same-origin' | 'none' | undefined;
  /** Load nothing from well-known advertising and tracking networks. Default: false. */
  readonly block_ads?: boolean | undefined;
  /**
   * Time after which pending requests are no longer waited for. Default: half of the setting job-timeout (60 s). From 1 to
   * 3600.
   */
  readonly max_loading_time?: number | undefined;
  /** Fail when the response to the page itself has a status of 400 or more. Default: false. */
  readonly fail_on_main_url_error?: boolean | undefined;
  /**
   * Fail when a request of the page gets a status of 400 or more, fails, or is still pending when the page is converted.
   * Default: false.
   */
  readonly fail_on_any_url_error?: boolean | undefined;
  /**
   * Fail instead of sending a document that would carry one of these notes; any: a note with any code. The header
   * x-service-note-codes lists the codes of a document.
   */
  readonly fail_on_notes?: string | undefined;
  /** Do not send the X-Pdfcrowd header to pages. Accepted, without effect: Platen never sends that header. @deprecated */
  readonly no_xpdfcrowd_header?: boolean | undefined;
  /** Referrer of subrequests. Accepted, without effect: its effect is not documented anywhere. @deprecated */
  readonly subprocess_referrer?: string | undefined;

  // Rendering

  /** Apply the page's @media print rules. Otherwise the page looks as on a screen, also in a PDF. Default: false. */
  readonly use_print_media?: boolean | undefined;
  /** Do not print background colours and images. Default: false. */
  readonly no_background?: boolean | undefined;
  /** Style sheet to add after those of the page. Its rules are not made !important. */
  readonly custom_css?: string | undefined;
  /**
   * Script to run in the page as soon as it has loaded, before any waiting; libService is available. If the result is a
   * promise, it is awaited. If the script throws, the conversion fails.
   */
  readonly on_load_javascript?: string | undefined;
  /**
   * Script to run in the page when it is ready, before it is printed; the object libService provides helpers
   * (docs/scripts.md). If the result is a promise, it is awaited. If the script throws, the conversion fails.
   */
  readonly custom_javascript?: string | undefined;
  /**
   * Wait exactly this many milliseconds after the page has loaded, instead of until it has settled (wait_until). From 0 to
   * 3600000.
   */
  readonly javascript_delay?: number | undefined;
  /**
   * When a page that runs scripts is ready. settled: nothing that changes the page is in progress (requests, animations,
   * timers), at the latest after settle_limit; timers and animations run faster than real time. loaded: fonts and images
   * have loaded; nothing else is waited for, and the clock runs at normal speed. Default: settled.
   */
  readonly wait_until?: 'settled' | 'loaded' | undefined;
  /**
   * Longest time for a page to settle, both by the page's clock and in real time; at most two thirds of the setting
   * job-timeout (60 s). Default: the setting settle-limit (5 s). From 0 to 3600000.
   */
  readonly settle_limit?: number | undefined;
  /** Wait until an element that matches one of these CSS selectors is in the page or in one of its frames. */
  readonly wait_for_element?: string | undefined;
  /**
   * Device pixels for each CSS pixel: sets the resolution of canvases, and which images srcset and image-set choose.
   * Default: scale_factor for an image, from 1 to 4, and 1 for a PDF. From 1 to 4.
   */
  readonly device_pixel_ratio?: number | undefined;
  /**
   * Show the whole content of scrolling areas: their height and width limits are removed, and grids that draw only visible
   * rows get room for all of them. Default: false.
   */
  readonly expand_scroll_areas?: boolean | undefined;
  /**
   * How to treat elements with position: fixed, such as bars and cookie banners, which Chromium repeats on each page of a
   * PDF. keep: leave them; an image of the whole page shows them once, with bars of the lower edge at the end. first-page:
   * show them once, in their place on the first page or screen. hide: remove them. first-page and hide turn sticky elements
   * into ordinary ones. Default: keep.
   */
  readonly fixed_elements?: 'keep' | 'first-page' | 'hide' | undefined;
  /**
   * Convert only the first element that matches one of these CSS selectors when the page is ready. To wait for the element,
   * use wait_for_element too.
   */
  readonly element_to_convert?: string | undefined;
  /**
   * cut-out makes the element the only content of the page; remove-siblings keeps it in place and removes its siblings and
   * those of its ancestors; hide-siblings sets these to display:none (docs/scripts.md). Default: cut-out.
   */
  readonly element_to_convert_mode?: 'cut-out' | 'remove-siblings' | 'hide-siblings' | undefined;
  /**
   * Convert only the main content of the page, detected from its structure and text. A page without main content is left
   * unchanged. Default: false.
   */
  readonly auto_detect_element_to_convert?: boolean | undefined;
  /**
   * Show the article of the page in plain styles, as a browser's reader mode does; higher versions keep less around the
   * article (docs/scripts.md). A page without an article is left unchanged. Default: none.
   */
  readonly readability_enhancements?: 'none' | 'readability-v1' | 'readability-v2' | 'readability-v3' | 'readability-v4' | undefined;

  // Watermark and background

  /** A PDF or an image, as a file part, whose first page is placed over every page. PDF only. */
  readonly page_watermark?: FileInput | undefined;
  /** Address to load page_watermark from. Examples: 'https://example.com/letterhead.html'. PDF only. */
  readonly page_watermark_url?: string | undefined;
  /**
   * A PDF or an image whose pages are placed over the pages of the document, one over each; its last page repeats on the
   * remaining pages. PDF only.
   */
  readonly multipage_watermark?: FileInput | undefined;
  /** Address to load multipage_watermark from. Examples: 'https://example.com/letterhead.html'. PDF only. */
  readonly multipage_watermark_url?: string | undefined;
  /** A PDF or an image, as a file part, whose first page is placed under every page. PDF only. */
  readonly page_background?: FileInput | undefined;
  /** Address to load page_background from. Examples: 'https://example.com/letterhead.html'. PDF only. */
  readonly page_background_url?: string | undefined;
  /**
   * A PDF or an image whose pages are placed under the pages of the document, one under each; its last page repeats on the
   * remaining pages. PDF only.
   */
  readonly multipage_background?: FileInput | undefined;
  /** Address to load multipage_background from. Examples: 'https://example.com/letterhead.html'. PDF only. */
  readonly multipage_background_url?: string | undefined;
  /** Colour that fills the whole page, including the margins, under everything else. Examples: 'ffeedd'. PDF only. */
  readonly page_background_color?: string | undefined;

  // Images in the PDF

  /** Quality of JPEG images in the document; 100 leaves them as they are. From 1 to 100. Default: 100. PDF only. */
  readonly jpeg_quality?: number | undefined;
  /**
   * Other images to convert to JPEG: those without transparency (opaque), or all, on the background colour of the page.
   * Default: none. PDF only.
   */
  readonly convert_images_to_jpeg?: 'none' | 'opaque' | 'all' | undefined;
  /** Scale images down to this resolution on paper; 0 leaves them as they are. From 0 to 10000. Default: 0. PDF only. */
  readonly image_dpi?: number | undefined;

  // PDF

  /** Title of the document. Default: the title of the page. PDF only. */
  readonly title?: string | undefined;
  /** Subject of the document. PDF only. */
  readonly subject?: string | undefined;
  /** Author of the document. PDF only. */
  readonly author?: string | undefined;
  /** Keywords of the document. PDF only. */
  readonly keywords?: string | undefined;
  /**
   * Fill author, keywords and subject, if absent, from the page's meta tags author, keywords and description. Default:
   * false. PDF only.
   */
  readonly extract_meta_tags?: boolean | undefined;
  /** Encrypt the document (AES-256), with or without passwords. Default: false. PDF only. */
  readonly encrypt?: boolean | undefined;
  /** Password to open the document. Turns on encryption. PDF only. */
  readonly user_password?: string | undefined;
  /** Password to lift the restrictions. Turns on encryption. PDF only. */
  readonly owner_password?: string | undefined;
  /** Forbid printing. Turns on encryption. Default: false. PDF only. */
  readonly no_print?: boolean | undefined;
  /** Forbid changes. Turns on encryption. Default: false. PDF only. */
  readonly no_modify?: boolean | undefined;
  /** Forbid copying text and images. Turns on encryption. Default: false. PDF only. */
  readonly no_copy?: boolean | undefined;
  /** Order the file so that a viewer can show the first page while the rest is still loading. Default: false. PDF only. */
  readonly linearize?: boolean | undefined;
  /** Turn input, select, textarea and button elements into form fields of the PDF. Default: false. PDF only. */
  readonly enable_pdf_forms?: boolean | undefined;
  /**
   * Tag the document with its structure, for screen readers. Conversion takes longer and the file is larger.
   * pdf_standard=pdfua-1 also checks and completes the structure. Default: false. PDF only.
   */
  readonly tagged?: boolean | undefined;
  /**
   * Standards to which the document conforms: for archiving, PDF/A-2 or PDF/A-3, with extractable text (u) or without that
   * promise (b), not together with encryption; for screen readers, PDF/UA-1. Examples: 'pdfa-2u', 'pdfa-2u,pdfua-1'. PDF
   * only.
   */
  readonly pdf_standard?: string | undefined;
  /**
   * Date of creation in the document, by default the time of the conversion. With it, the same request to the same version
   * gives the same bytes, except for signed documents, which carry the time of signing, and for encrypted documents, which
   * need random keys. Examples: '2026-11-26T09:30:00+01:00'. PDF only.
   */
  readonly creation_date?: string | undefined;
  /**
   * Refuse a document that cannot conform to pdf_standard. false: return it without the claim, with a note for each reason.
   * Default: true. PDF only.
   */
  readonly pdf_standard_strict?: boolean | undefined;
  /** Turn the headings into bookmarks. Also tags the document. Default: false. PDF only. */
  readonly outline?: boolean | undefined;

  // Attachments

  /**
   * A file to attach to the document, as a file part. Send the field several times for several files. Its media type is the
   * content type of the part or, if that is application/octet-stream or text/plain, that of the file name extension. PDF
   * only.
   */
  readonly attachment?: readonly FileInput[] | undefined;
  /**
   * Description of an attachment, which viewers show. Send the field several times, in the order of the attachments. PDF
   * only.
   */
  readonly attachment_description?: readonly string[] | undefined;
  /**
   * How an attachment is related to the document: its source, data shown in it, another form of it, an addition, or
   * unspecified (the default). Send the field several times, in the order of the attachments. PDF only.
   */
  readonly attachment_relationship?: readonly ('Source' | 'Data' | 'Alternative' | 'Supplement' | 'Unspecified')[] | undefined;
  /**
   * The XML of an e-invoice (Factur-X, ZUGFeRD 2.x, XRechnung in CII), as a file part. The document becomes an e-invoice in
   * PDF/A-3b, or in the PDF/A-3 of pdf_standard. The profile is read from the XML, which must conform to its schema
   * (docs/e-invoices.md). PDF only.
   */
  readonly invoice_xml?: FileInput | undefined;

  // Signature

  /**
   * Sign the document with the account's certificate (PAdES baseline B, with a time stamp B-T), which the operator sets
   * (docs/signatures.md). Default: false. PDF only.
   */
  readonly sign?: boolean | undefined;
  /** Why the document is signed, as viewers show it. PDF only. */
  readonly signature_reason?: string | undefined;
  /** Where the document is signed, as viewers show it. PDF only. */
  readonly signature_location?: string | undefined;
  /**
   * Page with the visible signature; negative numbers count from the end. The signature is visible if this option,
   * signature_x, signature_y, signature_width or signature_height is given. From -1000000 to 1000000. Default: -1. PDF only.
   */
  readonly signature_page?: number | undefined;
  /** Distance of the visible signature from the left edge of the page. Examples: '0.4in', '15mm'. Default: 0.4in. PDF only. */
  readonly signature_x?: string | undefined;
  /**
   * Distance of the visible signature from the upper edge of the page. Default: 0.4in above the lower edge. Examples:
   * '0.4in', '15mm'. PDF only.
   */
  readonly signature_y?: string | undefined;
  /** Width of the visible signature. Examples: '0.4in', '15mm'. Default: 2.5in. PDF only. */
  readonly signature_width?: string | undefined;
  /** Height of the visible signature. Its text takes the size that fits. Examples: '0.4in', '15mm'. Default: 0.8in. PDF only. */
  readonly signature_height?: string | undefined;

  // Viewer

  /** How a viewer initially lays out the pages. PDF only. */
  readonly page_layout?: 'single-page' | 'one-column' | 'two-column-left' | 'two-column-right' | undefined;
  /** What a viewer initially shows beside the pages. PDF only. */
  readonly page_mode?: 'full-screen' | 'thumbnails' | 'outlines' | undefined;
  /** Initial zoom of a viewer. PDF only. */
  readonly initial_zoom_type?: 'fit-width' | 'fit-height' | 'fit-page' | undefined;
  /** Page that a viewer shows first. From 1 to 1000000. PDF only. */
  readonly initial_page?: number | undefined;
  /** Initial zoom of a viewer, in percent. From 1 to 10000. PDF only. */
  readonly initial_zoom?: number | undefined;
  /** Hide the viewer's tool bars. Default: false. PDF only. */
  readonly hide_toolbar?: boolean | undefined;
  /** Hide the viewer's menu bar. Default: false. PDF only. */
  readonly hide_menubar?: boolean | undefined;
  /** Hide the viewer's scroll bars and controls. Default: false. PDF only. */
  readonly hide_window_ui?: boolean | undefined;
  /** Fit the viewer's window to the first page. Default: false. PDF only. */
  readonly fit_window?: boolean | undefined;
  /** Centre the viewer's window. Default: false. PDF only. */
  readonly center_window?: boolean | undefined;
  /** Show the document's title instead of its file name in the viewer's title bar. Default: false. PDF only. */
  readonly display_title?: boolean | undefined;
  /**
   * Mark the document as reading from right to left, so that a viewer shows two pages side by side in that order. Default:
   * false. PDF only.
   */
  readonly right_to_left?: boolean | undefined;

  // Fine tuning

  /**
   * Distance to move the content to the right from the edge of the print area; a negative distance moves it to the left.
   * Examples: '0.4in', '15mm'. Default: 0in. PDF only.
   */
  readonly content_area_x?: string | undefined;
  /** Distance to move the content down; a negative distance moves it up. Examples: '0.4in', '15mm'. Default: 0in. PDF only. */
  readonly content_area_y?: string | undefined;
  /** Width of the area to lay out the content for, instead of the print area. Examples: '0.4in', '15mm'. PDF only. */
  readonly content_area_width?: string | undefined;
  /** Height of the area to lay out the content for, instead of the print area. Examples: '0.4in', '15mm'. PDF only. */
  readonly content_area_height?: string | undefined;
  /**
   * Transformation of the content of each page: scaleX,skewX,transX,skewY,scaleY,transY in points, from the top left corner
   * of the print area. Examples: '1,0,0,0,1,0'. PDF only.
   */
  readonly contents_matrix?: string | undefined;
  /**
   * Transformation of the header, as in contents_matrix, from the top left corner of the header. Examples: '1,0,0,0,1,0'.
   * PDF only.
   */
  readonly header_matrix?: string | undefined;
  /**
   * Transformation of the footer, as in contents_matrix, from the top left corner of the footer. Examples: '1,0,0,0,1,0'.
   * PDF only.
   */
  readonly footer_matrix?: string | undefined;
  /**
   * Resolution of internal positions. Accepted, without effect: Platen keeps exact positions in a PDF. From 72 to 600. PDF
   * only. @deprecated
   */
  readonly layout_dpi?: number | undefined;
  /**
   * Do not compensate for rounding from pixels to points. Accepted, without effect: Platen does not round pages to whole
   * pixels. PDF only. @deprecated
   */
  readonly disable_page_height_optimization?: boolean | undefined;
  /**
   * Add classes with the page number to the body of the main document. Accepted, without effect: the main document is laid
   * out once, not once for each page; headers and footers have these classes. PDF only. @deprecated
   */
  readonly main_document_css_annotation?: boolean | undefined;
  /** Older name of content_viewport_width, which takes precedence. From 96 to 65000. PDF only. */
  readonly viewport_width?: number | undefined;
  /** Older name of content_viewport_height, which takes precedence. From 1 to 65000. PDF only. */
  readonly viewport_height?: number | undefined;
  /**
   * Older option: how the viewport is simulated. Accepted, without effect: Platen always simulates the viewport; set its
   * width with content_viewport_width. PDF only. @deprecated
   */
  readonly rendering_mode?: 'default' | 'viewport' | undefined;
  /** Older name of content_fit_mode, which takes precedence. PDF only. */
  readonly smart_scaling_mode?: 'default' | 'disabled' | 'viewport-fit' | 'content-fit' | 'single-page-fit' | 'single-page-fit-ex' | 'mode1' | undefined;

  // Image

  /** Width of the image in pixels, before scale_factor. From 96 to 65000. Default: 1024. Images only. */
  readonly screenshot_width?: number | undefined;
  /**
   * Height of the image in pixels, before scale_factor, and of the viewport while the page loads. Default: the height of the
   * whole page, loaded in a viewport 3/4 as high as it is wide. For a PDF, content_viewport_height sets the viewport. From 1
   * to 65000. Images only.
   */
  readonly screenshot_height?: number | undefined;
  /**
   * Colour under the page, as RRGGBB or RRGGBBAA; 00000000 makes it transparent if the format supports that. Examples:
   * 'ffeedd'. Images only.
   */
  readonly background_color?: string | undefined;
  /** Quality of jpg, webp and avif images. From 1 to 100. Default: 90. Images only. */
  readonly image_quality?: number | undefined;

  // Log

  /** Record a debug log of this conversion. The response header x-service-debug-log contains its address. Default: false. */
  readonly debug_log?: boolean | undefined;
  /** Your own label for the job in the logs. Examples: 'invoices'. */
  readonly tag?: string | undefined;
}
