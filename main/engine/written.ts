/**
 * Which documents are written into a page that is open, instead of the window going to them: those that are only text and style,
 * of jobs that ask for nothing that concerns loading (docs/decisions/0035-written-documents.md).
 */
import type { Source } from '../input/source.ts';
import { isImage } from '../job/job.ts';
import type { OptionName } from '../job/options.ts';
import type { WindowRun } from './engine.ts';
import { openPage } from './shown-address.ts';
import type { EngineWindow } from './window.ts';

/** What a job may say: what the document is, and what becomes of it once it is there. */
const harmless: ReadonlySet<OptionName> = new Set<OptionName>([
  ...(['text', 'file', 'output_format', 'input_format', 'output_name', 'content_disposition'] as const),
  ...([
    'data_file',
    'data_string',
    'data_format',
    'data_encoding',
    'data_options',
    'template_engine',
  ] as const),
  ...(['data_ignore_undefined', 'data_auto_escape', 'data_trim_blocks', 'data_variable_markers'] as const),
  ...(['page_size', 'page_width', 'page_height', 'orientation', 'no_margins', 'print_page_range'] as const),
  ...(['margin_top', 'margin_right', 'margin_bottom', 'margin_left', 'page_background_color'] as const),
  ...(['content_viewport_width', 'content_viewport_height', 'content_fit_mode', 'scale_factor'] as const),
  ...(['css_page_rule_mode', 'remove_blank_pages', 'use_print_media', 'no_background', 'tag'] as const),
  ...([
    'title',
    'subject',
    'author',
    'keywords',
    'extract_meta_tags',
    'linearize',
    'tagged',
    'outline',
  ] as const),
  ...(['encrypt', 'user_password', 'owner_password', 'no_print', 'no_modify', 'no_copy'] as const),
  ...([
    'page_layout',
    'page_mode',
    'initial_zoom_type',
    'initial_page',
    'initial_zoom',
    'fit_window',
  ] as const),
  ...(['hide_toolbar', 'hide_menubar', 'hide_window_ui', 'center_window', 'display_title'] as const),
  ...(['header_html', 'header_height', 'exclude_header_on_pages', 'header_footer_scale_factor'] as const),
  ...(['footer_html', 'footer_height', 'exclude_footer_on_pages', 'page_numbering_offset'] as const),
  ...(['no_header_footer_horizontal_margins', 'header_footer_css_annotation'] as const),
  ...(['right_to_left', 'jpeg_quality', 'convert_images_to_jpeg', 'image_dpi', 'debug_log'] as const),
]);

/** The text to write, or undefined when the window has to go to the document. A log that is recorded tells of a page's loading. */
export function textToWrite(
  { job, log, prefixes }: Pick<WindowRun, 'job' | 'log' | 'prefixes'>,
  source: Source,
): string | undefined {
  if (source.kind !== 'document' || source.text === undefined) return undefined;
  const { text, strips = {} } = source;
  if (log.recorded || isImage(job.options)) return undefined;
  if ([...job.given].some((name) => !harmless.has(name))) return undefined;
  const conventions = prefixes.flatMap((prefix) => [`${prefix}-remove`, `${prefix}-hide`, `${prefix}-body`]);
  const isPlain = (html: string) => !conventions.some((name) => html.includes(name));
  const arePlain = Object.values(strips).every(
    (strip) => strip.kind === 'html' && strip.inert === true && isPlain(strip.html),
  );
  return arePlain && isPlain(text) ? text : undefined;
}

/** Whether it shows the page that documents are written into. */
export function isOpen({ contents }: Pick<EngineWindow, 'contents'>): boolean {
  return !contents.isDestroyed() && contents.getURL() === openPage;
}
