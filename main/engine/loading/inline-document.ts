/**
 * Decides which documents are written into an open page with `document.write` instead of a navigation: documents of text and styles
 * alone, of jobs without options that concern loading (docs/decisions/0035-inline-documents.md).
 */
import type { Source } from '../../input/source.ts';
import { isImage } from '../../job/job.ts';
import type { OptionName } from '../../job/options.ts';
import type { WindowRun } from '../window-run.ts';
import { inlineDocumentPage } from '../requests/shown-address.ts';
import type { EngineWindow } from '../window/engine-window.ts';

/** Options that do not affect loading: they describe the document, or what happens after it is loaded. */
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

/**
 * Returns the text to write, or undefined if the window must navigate. A recorded debug log needs a navigation, which it describes.
 */
export function inlineHtmlOf(
  { job, log, prefixes }: Pick<WindowRun, 'job' | 'log' | 'prefixes'>,
  source: Source,
): string | undefined {
  if (source.kind !== 'document' || source.staticText === undefined) return undefined;
  const { staticText, headerFooter = {} } = source;
  if (log.isRecorded || isImage(job.options)) return undefined;
  if ([...job.givenOptions].some((name) => !compatibleOptions.has(name))) return undefined;
  const classNames = prefixes.flatMap((prefix) => [`${prefix}-remove`, `${prefix}-hide`, `${prefix}-body`]);
  const hasNoConventions = (html: string) => !classNames.some((name) => html.includes(name));
  const canInlineHeaderAndFooter = Object.values(headerFooter).every(
    (content) => content.kind === 'html' && content.isStatic === true && hasNoConventions(content.html),
  );
  return canInlineHeaderAndFooter && hasNoConventions(staticText) ? staticText : undefined;
}

/** Whether the window shows the page that documents are written into. */
export function isOpen({ contents }: Pick<EngineWindow, 'contents'>): boolean {
  return !contents.isDestroyed() && contents.getURL() === inlineDocumentPage;
}

// The style sheet of the markup conventions. It is inserted as a user style sheet and overrides the page's own
// styles.

/** Returns the CSS for prefixes such as `service`. */
export function conventionStyles(prefixes: readonly string[]): string {
  return prefixes
    .map(
      (prefix) =>
        `.${prefix}-remove { display: none !important } .${prefix}-hide { visibility: hidden !important }`,
    )
    .join('\n');
}
