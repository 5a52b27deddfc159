/** Generated from the OpenAPI document by `npm run generate`; edit the tables in main/ instead. */
import type { FileInput } from '../file-input.ts';

/** The options of a conversion by their names on the wire. What is undefined is not sent. */
export interface ConversionOptions {
  // Input

  /** The HTML file to convert when an archive holds several. Without it that is the only one at the top, else index.html, else the first. */
  readonly zip_main_filename?: string | undefined;
  /** The HTML file of the archive that is the header of each page. PDF only. */
  readonly zip_header_filename?: string | undefined;
  /** The HTML file of the archive that is the footer of each page. PDF only. */
  readonly zip_footer_filename?: string | undefined;
  /** Character set of a page that declares none itself. Such as 'utf-8', 'windows-1252'. */
  readonly default_encoding?: string | undefined;

  // Data

  /** Data that fills the HTML, which is a template then (docs/templates.md), as a file part. */
  readonly data_file?: FileInput | undefined;
  /** The same as the value of a field; data_file beats it. */
  readonly data_string?: string | undefined;
  /** Format of the data; auto tells it by its content. Default: auto. */
  readonly data_format?: 'auto' | 'json' | 'xml' | 'yaml' | 'csv' | undefined;
  /** Character set of data_file; a byte order mark beats it. Default: utf-8. */
  readonly data_encoding?: string | undefined;
  /** csv_delimiter, xml_remove_root and data_root (the name of data that has none, data by default). */
  readonly data_options?: string | undefined;
  /** Take values that the data lacks as empty. Otherwise they fail the conversion. Default: false. */
  readonly data_ignore_undefined?: boolean | undefined;
  /** Escape HTML in values. Without it Handlebars does and Jinja does not. */
  readonly data_auto_escape?: boolean | undefined;
  /** Remove the line break after a block tag of a Jinja template. Default: false. */
  readonly data_trim_blocks?: boolean | undefined;
  /** What marks a variable in a Jinja template: {{ }}, [[ ]] or << >>. Default: standard. */
  readonly data_variable_markers?: 'standard' | 'square' | 'angle' | undefined;
  /** Language of the template; auto takes Jinja when it has {% %} tags. Default: auto. */
  readonly template_engine?: 'auto' | 'handlebars' | 'jinja' | undefined;

  // Format

  /** What comes back: a PDF document, or a picture of the whole page. Default: pdf. */
  readonly output_format?: 'pdf' | 'png' | 'jpg' | 'webp' | 'gif' | 'tiff' | 'bmp' | 'avif' | 'ico' | 'ppm' | 'pgm' | 'pbm' | 'pnm' | 'tga' | 'sgi' | 'ras' | 'sun' | undefined;
  /** What is sent. Every input is HTML, or an archive or a template of it. Default: html. */
  readonly input_format?: 'html' | undefined;
  /** File name in the Content-Disposition of the answer, extension included. Without it the name is document.pdf, image.png and the like. Such as 'invoice.pdf'. */
  readonly output_name?: string | undefined;
  /** Whether a browser saves the answer or shows it. Default: attachment. */
  readonly content_disposition?: 'attachment' | 'inline' | undefined;

  // Page

  /** Named paper size. Default: A4. PDF only. */
  readonly page_size?: 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'Letter' | 'Legal' | 'Tabloid' | 'Ledger' | undefined;
  /** Width of the paper, up to 200in; beats that of page_size. Such as '0.4in', '15mm'. PDF only. */
  readonly page_width?: string | undefined;
  /** Height of the paper, up to 200in; beats that of page_size. -1 makes one page as tall as the content. Such as '0.4in', '15mm'. PDF only. */
  readonly page_height?: string | undefined;
  /** landscape lays the longer side of the paper horizontally; portrait leaves it as page_size, page_width and page_height give it. Default: portrait. PDF only. */
  readonly orientation?: 'portrait' | 'landscape' | undefined;
  /** Space left free at the top of each page. Such as '0.4in', '15mm'. Default: 0.4in. PDF only. */
  readonly margin_top?: string | undefined;
  /** Space left free at the right of each page. Such as '0.4in', '15mm'. Default: 0.4in. PDF only. */
  readonly margin_right?: string | undefined;
  /** Space left free at the bottom of each page. Such as '0.4in', '15mm'. Default: 0.4in. PDF only. */
  readonly margin_bottom?: string | undefined;
  /** Space left free at the left of each page. Such as '0.4in', '15mm'. Default: 0.4in. PDF only. */
  readonly margin_left?: string | undefined;
  /** Leave no margins, whatever the four others say. Default: false. PDF only. */
  readonly no_margins?: boolean | undefined;
  /** The pages that come back, such as 1-3,7- or odd,last. Page numbers in headers and footers are those of the output. Such as '1-3,7-', 'odd,last'. PDF only. */
  readonly print_page_range?: string | undefined;
  /** Width of the layout in CSS pixels. A PDF is scaled so that this width fills the print area; balanced takes the narrowest width, from the print area up, at which nothing overflows. A picture is laid out screenshot_width wide when this is not given. Such as 'medium', '800px', 'balanced'. Default: medium. */
  readonly content_viewport_width?: string | undefined;
  /** Height of the window the page is loaded in, in CSS pixels; auto is that of the print area, large 10000. A high one makes lazy parts load. Such as 'auto', '5000px'. Default: auto. PDF only. */
  readonly content_viewport_height?: string | undefined;
  /** How the layout is scaled to the print area. viewport-width (and auto): content_viewport_width fills it. smart-scaling: the same, but wider content is made to fit. content-width: the content alone fills it. no-scaling: a CSS pixel is 1/96in, what is too wide is cut. single-page: everything on one page. single-page-ratio: the same, laid out wider until it has the shape of the page. Default: auto. PDF only. */
  readonly content_fit_mode?: 'auto' | 'smart-scaling' | 'no-scaling' | 'viewport-width' | 'content-width' | 'single-page' | 'single-page-ratio' | undefined;
  /** Zoom. The content of a PDF is laid out and printed that much larger, headers and footers not; a picture becomes screenshot_width x scale_factor% pixels wide. From 10 to 500. Default: 100. */
  readonly scale_factor?: number | undefined;
  /** Which wins, these options or the size and margins of the page's own @page rules: default and mode1 these options, mode2 the rules. Header and footer stay where margin_top and margin_bottom put them. Default: default. PDF only. */
  readonly css_page_rule_mode?: 'default' | 'mode1' | 'mode2' | undefined;
  /** Which pages without any content are left out. Default: trailing. PDF only. */
  readonly remove_blank_pages?: 'trailing' | 'all' | 'none' | undefined;
  /** Set-up for some of the pages, as JSON: {"pageSetup": [{"pages": "1", "marginTop": "2in", "displayHeader": "none"}]} (docs/page-setup.md). Such as '{"pageSetup": [{"pages": "1", "displayHeader": "none"}]}'. PDF only. */
  readonly conversion_config?: string | undefined;
  /** The same as a file part. PDF only. */
  readonly conversion_config_file?: FileInput | undefined;

  // Header and footer

  /** HTML of the header, a document of its own below the top margin. Elements of the classes service-page-number, service-page-count, service-source-url and service-source-title are filled. Relative addresses start from the main document's. PDF only. */
  readonly header_html?: string | undefined;
  /** Address of the HTML of the header. Its TLS certificate must be valid, whatever verify_ssl_certificates says. Such as 'https://example.com/letterhead.html'. PDF only. */
  readonly header_url?: string | undefined;
  /** Height that the header takes from the print area, when there is one. What is taller is cut. Such as '0.4in', '15mm'. Default: 0.5in. PDF only. */
  readonly header_height?: string | undefined;
  /** Pages without the header, such as 1,-1; negative numbers count from the end. Its space stays free. Such as '1,-1'. PDF only. */
  readonly exclude_header_on_pages?: string | undefined;
  /** HTML of the footer, a document of its own above the bottom margin. Elements of the classes service-page-number, service-page-count, service-source-url and service-source-title are filled. Relative addresses start from the main document's. PDF only. */
  readonly footer_html?: string | undefined;
  /** Address of the HTML of the footer. Its TLS certificate must be valid, whatever verify_ssl_certificates says. Such as 'https://example.com/letterhead.html'. PDF only. */
  readonly footer_url?: string | undefined;
  /** Height that the footer takes from the print area, when there is one. What is taller is cut. Such as '0.4in', '15mm'. Default: 0.5in. PDF only. */
  readonly footer_height?: string | undefined;
  /** Pages without the footer, such as 1,-1; negative numbers count from the end. Its space stays free. Such as '1,-1'. PDF only. */
  readonly exclude_footer_on_pages?: string | undefined;
  /** Make header and footer as wide as the paper instead of the print area. Default: false. PDF only. */
  readonly no_header_footer_horizontal_margins?: boolean | undefined;
  /** Zoom of header and footer. From 10 to 500. Default: 100. PDF only. */
  readonly header_footer_scale_factor?: number | undefined;
  /** Is added to the printed page numbers: with 10 the first page has number 11. From -1000000 to 1000000. Default: 0. PDF only. */
  readonly page_numbering_offset?: number | undefined;
  /** The body of header and footer has the classes service-page-N, service-page-count-N, service-page-first, -last, -odd and -even. They are there without this option too. Default: false. PDF only. */
  readonly header_footer_css_annotation?: boolean | undefined;

  // Loading

  /** Cookies the page is loaded with, as name=value;name=value. It goes to the site of url; when the document itself was sent, to every address it loads from. Such as 'session=abc;language=en'. */
  readonly cookies?: string | undefined;
  /** A header of every request, as Name:value. It goes to the site of url; when the document itself was sent, to every address it loads from. Such as 'X-Department: Sales'. */
  readonly custom_http_header?: string | undefined;
  /** User name for a page behind HTTP authentication. It goes to the site of url; when the document itself was sent, to every address it loads from. */
  readonly http_auth_user_name?: string | undefined;
  /** Password for a page behind HTTP authentication. */
  readonly http_auth_password?: string | undefined;
  /** A PKCS #12 certificate (.p12, .pfx), as a file part, shown to the site of url when it asks for one. */
  readonly client_certificate?: FileInput | undefined;
  /** Password of client_certificate. */
  readonly client_certificate_password?: string | undefined;
  /** Load nothing from a site whose TLS certificate is not valid. With --alias pdfcrowd it is off unless given, as programs written for it expect. Default: true. */
  readonly verify_ssl_certificates?: boolean | undefined;
  /** Proxy that http addresses are loaded through. The network policy applies to it and to what is loaded. Such as 'proxy.example.com:3128'. */
  readonly http_proxy?: string | undefined;
  /** Proxy that https addresses are loaded through. Such as 'proxy.example.com:3128'. */
  readonly https_proxy?: string | undefined;
  /** What the browser calls itself. Default: latest-chrome-desktop. */
  readonly converter_user_agent?: string | undefined;
  /** Older way to say converter_user_agent=latest-chrome-mobile. Default: false. */
  readonly use_mobile_user_agent?: boolean | undefined;
  /** Language the page is asked for in, and of dates, numbers and currencies in its scripts and in a template. Such as 'en-US', 'de-DE'. Default: en-US. */
  readonly locale?: string | undefined;
  /** Run no script of the page's own. custom_javascript and on_load_javascript still run. Default: false. */
  readonly disable_javascript?: boolean | undefined;
  /** Load no images. Default: false. */
  readonly disable_image_loading?: boolean | undefined;
  /** Load no fonts from the network. Default: false. */
  readonly disable_remote_fonts?: boolean | undefined;
  /** Which frames of the page are loaded. Default: all. */
  readonly load_iframes?: 'all' | 'same-origin' | 'none' | undefined;
  /** Load nothing from well-known advertising and tracking networks. Default: false. */
  readonly block_ads?: boolean | undefined;
  /** After this time what has not arrived is not waited for any longer. Without it that is half of the job limit. From 1 to 3600. */
  readonly max_loading_time?: number | undefined;
  /** Fail when the page itself is answered with a status of 400 or more. Default: false. */
  readonly fail_on_main_url_error?: boolean | undefined;
  /** Fail when anything the page loads is answered with a status of 400 or more, does not arrive, or is still on its way when the page is converted. Default: false. */
  readonly fail_on_any_url_error?: boolean | undefined;
  /** Send no X-Pdfcrowd header to pages. Accepted, without effect: pages are never sent that header. @deprecated */
  readonly no_xpdfcrowd_header?: boolean | undefined;
  /** Referrer of sub-requests. Accepted, without effect: what it does is documented nowhere. @deprecated */
  readonly subprocess_referrer?: string | undefined;

  // Rendering

  /** Apply the page's @media print rules. Otherwise the page looks as on a screen, in a PDF too. Default: false. */
  readonly use_print_media?: boolean | undefined;
  /** Print no background colours and images. Default: false. */
  readonly no_background?: boolean | undefined;
  /** A style sheet added after those of the page. Nothing is made !important by itself. */
  readonly custom_css?: string | undefined;
  /** A script run in the page as soon as it has loaded, before anything is waited for; it has libService too. A promise it ends with is awaited. If it throws, the conversion fails. */
  readonly on_load_javascript?: string | undefined;
  /** A script run in the page when it is ready, before it is printed; the object libService has helpers (docs/scripts.md). A promise it ends with is awaited. If it throws, the conversion fails. */
  readonly custom_javascript?: string | undefined;
  /** Wait exactly this many milliseconds after the page has loaded. Without it, a page that runs scripts gets up to 200 ms to fall quiet. From 0 to 3600000. */
  readonly javascript_delay?: number | undefined;
  /** Wait until an element matching one of these CSS selectors is in the page or in one of its frames. */
  readonly wait_for_element?: string | undefined;
  /** Convert only the first element that matches one of these CSS selectors when the page is ready. It is not waited for: wait_for_element does that. */
  readonly element_to_convert?: string | undefined;
  /** cut-out makes the element the only content of the page; remove-siblings leaves it where it is and removes what is beside it and its ancestors; hide-siblings gives that display:none (docs/scripts.md). Default: cut-out. */
  readonly element_to_convert_mode?: 'cut-out' | 'remove-siblings' | 'hide-siblings' | undefined;
  /** Convert only the main content of the page, found by its structure and its text. A page without any is left as it is. Default: false. */
  readonly auto_detect_element_to_convert?: boolean | undefined;
  /** Show the article of the page in plain styles, as a browser's reader mode does; higher versions keep less beside it (docs/scripts.md). A page without an article is left as it is. Default: none. */
  readonly readability_enhancements?: 'none' | 'readability-v1' | 'readability-v2' | 'readability-v3' | 'readability-v4' | undefined;

  // Watermark and background

  /** A PDF or a picture, as a file part, whose first page is laid over every page. PDF only. */
  readonly page_watermark?: FileInput | undefined;
  /** The same by its address. Such as 'https://example.com/letterhead.html'. PDF only. */
  readonly page_watermark_url?: string | undefined;
  /** A PDF or a picture whose pages are laid over those of the document, the last one over all that follow. PDF only. */
  readonly multipage_watermark?: FileInput | undefined;
  /** The same by its address. Such as 'https://example.com/letterhead.html'. PDF only. */
  readonly multipage_watermark_url?: string | undefined;
  /** A PDF or a picture, as a file part, whose first page is laid under every page. PDF only. */
  readonly page_background?: FileInput | undefined;
  /** The same by its address. Such as 'https://example.com/letterhead.html'. PDF only. */
  readonly page_background_url?: string | undefined;
  /** A PDF or a picture whose pages are laid under those of the document, the last one under all that follow. PDF only. */
  readonly multipage_background?: FileInput | undefined;
  /** The same by its address. Such as 'https://example.com/letterhead.html'. PDF only. */
  readonly multipage_background_url?: string | undefined;
  /** Fills the whole page, margins included, under everything else. Such as 'ffeedd'. PDF only. */
  readonly page_background_color?: string | undefined;

  // Images in the PDF

  /** Quality of JPEG images in the document; 100 leaves them as they are. From 1 to 100. Default: 100. PDF only. */
  readonly jpeg_quality?: number | undefined;
  /** Which other images become JPEG: those without transparency, or all, on the background colour of the page. Default: none. PDF only. */
  readonly convert_images_to_jpeg?: 'none' | 'opaque' | 'all' | undefined;
  /** Scale images down to this resolution on paper; 0 leaves them as they are. From 0 to 10000. Default: 0. PDF only. */
  readonly image_dpi?: number | undefined;

  // PDF

  /** Title of the document; without it that of the page. PDF only. */
  readonly title?: string | undefined;
  /** Subject of the document. PDF only. */
  readonly subject?: string | undefined;
  /** Author of the document. PDF only. */
  readonly author?: string | undefined;
  /** Keywords of the document. PDF only. */
  readonly keywords?: string | undefined;
  /** Take author, keywords and subject, where they are not given, from the page's meta tags author, keywords and description. Default: false. PDF only. */
  readonly extract_meta_tags?: boolean | undefined;
  /** Encrypt the document (AES-256), with or without passwords. Default: false. PDF only. */
  readonly encrypt?: boolean | undefined;
  /** Password that opens the document; encrypts it. PDF only. */
  readonly user_password?: string | undefined;
  /** Password that lifts the restrictions; encrypts the document. PDF only. */
  readonly owner_password?: string | undefined;
  /** Forbid printing; encrypts the document. Default: false. PDF only. */
  readonly no_print?: boolean | undefined;
  /** Forbid changes; encrypts the document. Default: false. PDF only. */
  readonly no_modify?: boolean | undefined;
  /** Forbid copying text and images; encrypts the document. Default: false. PDF only. */
  readonly no_copy?: boolean | undefined;
  /** Order the file so that a viewer shows its first page before the rest has arrived. Default: false. PDF only. */
  readonly linearize?: boolean | undefined;
  /** Make fields that can be filled in of the input, select, textarea and button elements. Default: false. PDF only. */
  readonly enable_pdf_forms?: boolean | undefined;
  /** Tag the document with its structure, for screen readers (PDF/UA). Takes time, and bytes. Default: false. PDF only. */
  readonly tagged?: boolean | undefined;
  /** Make bookmarks of the headings; tags the document too. Default: false. PDF only. */
  readonly outline?: boolean | undefined;

  // Viewer

  /** How a viewer lays out the pages at first. PDF only. */
  readonly page_layout?: 'single-page' | 'one-column' | 'two-column-left' | 'two-column-right' | undefined;
  /** What a viewer shows beside the pages at first. PDF only. */
  readonly page_mode?: 'full-screen' | 'thumbnails' | 'outlines' | undefined;
  /** Zoom a viewer begins with. PDF only. */
  readonly initial_zoom_type?: 'fit-width' | 'fit-height' | 'fit-page' | undefined;
  /** Page a viewer begins with. From 1 to 1000000. PDF only. */
  readonly initial_page?: number | undefined;
  /** Zoom a viewer begins with, in percent. From 1 to 10000. PDF only. */
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
  /** The document reads from right to left: two pages side by side stand in that order. Default: false. PDF only. */
  readonly right_to_left?: boolean | undefined;

  // Fine tuning

  /** Moves the content to the right of where the print area begins, or to the left when negative. Such as '0.4in', '15mm'. Default: 0in. PDF only. */
  readonly content_area_x?: string | undefined;
  /** Moves the content down, or up when negative. Such as '0.4in', '15mm'. Default: 0in. PDF only. */
  readonly content_area_y?: string | undefined;
  /** Width of the area that the content is laid out for, instead of the print area. Such as '0.4in', '15mm'. PDF only. */
  readonly content_area_width?: string | undefined;
  /** Height of the area that the content is laid out for, instead of the print area. Such as '0.4in', '15mm'. PDF only. */
  readonly content_area_height?: string | undefined;
  /** Transforms the content of each page: scaleX,skewX,transX,skewY,scaleY,transY in points, from the top left corner of the print area. Such as '1,0,0,0,1,0'. PDF only. */
  readonly contents_matrix?: string | undefined;
  /** The same for the header, from its own corner. Such as '1,0,0,0,1,0'. PDF only. */
  readonly header_matrix?: string | undefined;
  /** The same for the footer, from its own corner. Such as '1,0,0,0,1,0'. PDF only. */
  readonly footer_matrix?: string | undefined;
  /** Resolution of internal positions. Accepted, without effect: positions in a PDF are exact here. From 72 to 600. PDF only. @deprecated */
  readonly layout_dpi?: number | undefined;
  /** Do not compensate for rounding from pixels to points. Accepted, without effect: pages are not rounded to whole pixels here. PDF only. @deprecated */
  readonly disable_page_height_optimization?: boolean | undefined;
  /** Classes with the page number on the body of the main document. Accepted, without effect: the main document is laid out once, not once for each page; headers and footers have these classes. PDF only. @deprecated */
  readonly main_document_css_annotation?: boolean | undefined;
  /** Older name of content_viewport_width, which beats it. From 96 to 65000. PDF only. */
  readonly viewport_width?: number | undefined;
  /** Older name of content_viewport_height, which beats it. From 1 to 65000. PDF only. */
  readonly viewport_height?: number | undefined;
  /** Older choice of how the viewport is simulated. Accepted, without effect: the viewport is always simulated here; set its width with content_viewport_width. PDF only. @deprecated */
  readonly rendering_mode?: 'default' | 'viewport' | undefined;
  /** Older name of content_fit_mode, which beats it. PDF only. */
  readonly smart_scaling_mode?: 'default' | 'disabled' | 'viewport-fit' | 'content-fit' | 'single-page-fit' | 'single-page-fit-ex' | 'mode1' | undefined;

  // Image

  /** Width of the picture in pixels, before scale_factor. From 96 to 65000. Default: 1024. Pictures only. */
  readonly screenshot_width?: number | undefined;
  /** Height of the picture in pixels, before scale_factor. Without it the whole page is shown. From 1 to 65000. Pictures only. */
  readonly screenshot_height?: number | undefined;
  /** Colour under the page, as RRGGBB or RRGGBBAA; 00000000 makes it transparent where the format can be. Such as 'ffeedd'. Pictures only. */
  readonly background_color?: string | undefined;
  /** Quality of jpg, webp and avif pictures. From 1 to 100. Default: 90. Pictures only. */
  readonly image_quality?: number | undefined;

  // Log

  /** Record a debug log of this conversion; the answer names its address in x-service-debug-log. Default: false. */
  readonly debug_log?: boolean | undefined;
  /** A word of the caller's own that stands with the job in the logs. Such as 'invoices'. */
  readonly tag?: string | undefined;
}
