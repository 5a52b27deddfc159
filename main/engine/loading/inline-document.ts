/**
 * Decides which documents are inline documents: `document.write` writes them into an empty page that the window already shows,
 * which is faster than a navigation. They contain only text and styles, and their job has no option that affects loading
 * (docs/decisions/0035-inline-documents.md).
 */
import type { Source } from '../../input/source.ts';
import { isImage } from '../../job/job.ts';
import type { OptionName } from '../../job/options.ts';
import type { WindowRun } from '../window-run.ts';
import { inlineDocumentPage } from '../requests/shown-address.ts';
import type { EngineWindow } from '../window/engine-window.ts';

/** Options that do not affect loading: they describe the document, or take effect when it has been written. */
const compatibleOptions: ReadonlySet<OptionName> = new Set<OptionName>([
  'text',
  'file',
  'output_format',
  'input_format',
  'output_name',
  'content_disposition',
  'data_file',
  'data_string',
  'data_format',
  'data_encoding',
  'data_options',
  'template_engine',
  'data_ignore_undefined',
  'data_auto_escape',
  'data_trim_blocks',
  'data_variable_markers',
  'page_size',
  'page_width',
  'page_height',
  'orientation',
  'no_margins',
  'print_page_range',
  'margin_top',
  'margin_right',
  'margin_bottom',
  'margin_left',
  'page_background_color',
  'content_viewport_width',
  'content_viewport_height',
  'content_fit_mode',
  'scale_factor',
  'css_page_rule_mode',
  'remove_blank_pages',
  'use_print_media',
  'no_background',
  'tag',
  'title',
  'subject',
  'author',
  'keywords',
  'extract_meta_tags',
  'linearize',
  'creation_date',
  'pdf_standard',
  'pdf_standard_strict',
  'attachment',
  'attachment_description',
  'attachment_relationship',
  'invoice_xml',
  'sign',
  'signature_reason',
  'signature_location',
  'signature_page',
  'signature_x',
  'signature_y',
  'signature_width',
  'signature_height',
  'tagged',
  'outline',
  'encrypt',
  'user_password',
  'owner_password',
  'no_print',
  'no_modify',
  'no_copy',
  'page_layout',
  'page_mode',
  'initial_zoom_type',
  'initial_page',
  'initial_zoom',
  'fit_window',
  'hide_toolbar',
  'hide_menubar',
  'hide_window_ui',
  'center_window',
  'display_title',
  'header_html',
  'header_height',
  'exclude_header_on_pages',
  'header_footer_scale_factor',
  'footer_html',
  'footer_height',
  'exclude_footer_on_pages',
  'page_numbering_offset',
  'no_header_footer_horizontal_margins',
  'header_footer_css_annotation',
  'right_to_left',
  'jpeg_quality',
  'convert_images_to_jpeg',
  'image_dpi',
  'debug_log',
]);

/** Returns the HTML to write, or undefined if the window must navigate to the document. */
export function inlineHtmlOf(
  { job, classPrefixes }: Pick<WindowRun, 'job' | 'classPrefixes'>,
  source: Source,
): string | undefined {
  if (source.kind !== 'document' || source.staticText === undefined) return undefined;
  const { staticText, headerFooter = {} } = source;
  if (isImage(job.options)) return undefined;
  if ([...job.givenOptions].some((name) => !compatibleOptions.has(name))) return undefined;
  const classNames = classPrefixes.flatMap((prefix) => [
    `${prefix}-remove`,
    `${prefix}-hide`,
    `${prefix}-body`,
  ]);
  const usesNoConventions = (html: string) => !classNames.some((name) => html.includes(name));
  const canInlineHeaderAndFooter = Object.values(headerFooter).every(
    (content) => content.kind === 'html' && content.isStatic === true && usesNoConventions(content.html),
  );
  return canInlineHeaderAndFooter && usesNoConventions(staticText.searchable) ? staticText.html : undefined;
}

/** Returns whether the window shows the page into which inline documents are written. */
export function showsInlineDocumentPage({ contents }: Pick<EngineWindow, 'contents'>): boolean {
  return !contents.isDestroyed() && contents.getURL() === inlineDocumentPage;
}

/**
 * Returns the style sheet of the markup conventions (such as `service-remove`) for the prefixes. It is inserted as a user style
 * sheet, so that it overrides the page's own styles.
 */
export function conventionStyles(prefixes: readonly string[]): string {
  return prefixes
    .map(
      (prefix) =>
        `.${prefix}-remove { display: none !important } .${prefix}-hide { visibility: hidden !important }`,
    )
    .join('\n');
}
