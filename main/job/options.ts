/**
 * THE TABLE of options: each parameter of a conversion, once. Types, validation, `docs/options.md`, the OpenAPI
 * document, the form of the user interface and masking in logs are all made from it.
 * To add an option: one row here, the line that uses it, one story test.
 */
import type { Kind, RowValue } from '../fields/kind.ts';
import { flag, integer, oneOf, text } from '../fields/kinds.ts';
import { length } from '../fields/measures.ts';
import { languageTag, upload, viewportWidth } from './option-kinds.ts';
import { paperSizes, type PaperName } from './paper-sizes.ts';

export type Group = 'Input' | 'Data' | 'Format' | 'Page' | 'Rendering' | 'Image' | 'Log';

export interface OptionRow {
  readonly kind: Kind<unknown>;
  readonly group: Group;
  /** The output it has an effect on. */
  readonly output: 'pdf' | 'image' | 'both';
  /** As a caller would write it; an option without one is off when absent. */
  readonly default?: string;
  /** One or two sentences for whoever writes the request. */
  readonly says: string;
  /** Its value is masked wherever it could be logged. */
  readonly secret?: true;
  /** Other names of the same field. */
  readonly aliases?: readonly string[];
}

const paperNames = Object.keys(paperSizes) as PaperName[];

export const table = {
  url: {
    kind: text('an http or https address'),
    group: 'Input',
    output: 'both',
    says: 'Address of the page to convert.',
  },
  file: {
    kind: upload,
    group: 'Input',
    output: 'both',
    says: 'An HTML file, or an archive (.zip, .tar.gz, .tar.bz2, .tar) of one with its assets, as a file part. Its content decides what it is, not its name. A part named stream is the same.',
    aliases: ['stream'],
  },
  text: {
    kind: text('an HTML document'),
    group: 'Input',
    output: 'both',
    says: 'The HTML to convert, as the value of the field.',
  },
  zip_main_filename: {
    kind: text('the path of a file inside the archive'),
    group: 'Input',
    output: 'both',
    says: 'The HTML file to convert when an archive holds several. Without it that is the only one at the top, else index.html, else the first.',
  },
  data_file: {
    kind: upload,
    group: 'Data',
    output: 'both',
    says: 'Data that fills the HTML, which is a template then (docs/templates.md), as a file part.',
  },
  data_string: {
    kind: text('data in one of the formats of data_format'),
    group: 'Data',
    output: 'both',
    says: 'The same as the value of a field.',
  },
  data_format: {
    kind: oneOf(['auto', 'json', 'xml', 'yaml', 'csv']),
    group: 'Data',
    output: 'both',
    default: 'auto',
    says: 'Format of the data; auto tells it by its content.',
  },
  data_encoding: {
    kind: text('the name of a character set'),
    group: 'Data',
    output: 'both',
    default: 'utf-8',
    says: 'Character set of data_file; a byte order mark beats it.',
  },
  data_options: {
    kind: text('key=value pairs separated by commas'),
    group: 'Data',
    output: 'both',
    says: 'csv_delimiter, xml_remove_root and data_root (the name of data that has none, data by default).',
  },
  data_ignore_undefined: {
    kind: flag,
    group: 'Data',
    output: 'both',
    default: 'false',
    says: 'Take values that the data lacks as empty. Otherwise they fail the conversion.',
  },
  data_auto_escape: {
    kind: flag,
    group: 'Data',
    output: 'both',
    says: 'Escape HTML in values. Without it Handlebars does and Jinja does not.',
  },
  data_trim_blocks: {
    kind: flag,
    group: 'Data',
    output: 'both',
    default: 'false',
    says: 'Remove the line break after a block tag of a Jinja template.',
  },
  template_engine: {
    kind: oneOf(['auto', 'handlebars', 'jinja']),
    group: 'Data',
    output: 'both',
    default: 'auto',
    says: 'Language of the template; auto takes Jinja when it has {% %} tags.',
  },
  locale: {
    kind: languageTag,
    group: 'Data',
    output: 'both',
    default: 'en-US',
    says: 'Language of dates, numbers and currencies in a template.',
  },
  output_format: {
    kind: oneOf(['pdf', 'png', 'jpg']),
    group: 'Format',
    output: 'both',
    default: 'pdf',
    says: 'What comes back: a PDF document, or a picture of the whole page.',
  },
  page_size: {
    kind: oneOf(paperNames),
    group: 'Page',
    output: 'pdf',
    default: 'A4',
    says: 'Named paper size.',
  },
  page_width: {
    kind: length,
    group: 'Page',
    output: 'pdf',
    says: 'Width of the paper, up to 200in; beats that of page_size.',
  },
  page_height: {
    kind: length,
    group: 'Page',
    output: 'pdf',
    says: 'Height of the paper, up to 200in; beats that of page_size.',
  },
  orientation: {
    kind: oneOf(['portrait', 'landscape']),
    group: 'Page',
    output: 'pdf',
    default: 'portrait',
    says: 'landscape lays the longer side of the paper horizontally; portrait leaves it as page_size, page_width and page_height give it.',
  },
  margin_top: marginRow('top'),
  margin_right: marginRow('right'),
  margin_bottom: marginRow('bottom'),
  margin_left: marginRow('left'),
  content_viewport_width: {
    kind: viewportWidth,
    group: 'Rendering',
    output: 'both',
    default: 'medium',
    says: 'Width of the layout in CSS pixels. A PDF is scaled so that this width fills the print area; balanced takes the narrowest width, from the print area up, at which nothing overflows. A picture is laid out screenshot_width wide when this is not given.',
  },
  use_print_media: {
    kind: flag,
    group: 'Rendering',
    output: 'both',
    default: 'false',
    says: "Apply the page's @media print rules. Otherwise the page looks as on a screen, in a PDF too.",
  },
  custom_css: {
    kind: text('a style sheet'),
    group: 'Rendering',
    output: 'both',
    says: 'A style sheet added after those of the page. Nothing is made !important by itself.',
  },
  custom_javascript: {
    kind: text('a script'),
    group: 'Rendering',
    output: 'both',
    says: 'A script run in the page when it is ready, before it is printed. A promise it ends with is awaited. If it throws, the conversion fails.',
  },
  javascript_delay: {
    kind: integer(0, 3_600_000, 'milliseconds'),
    group: 'Rendering',
    output: 'both',
    says: 'Wait exactly this many milliseconds after the page has loaded. Without it, a page that runs scripts gets up to 200 ms to fall quiet.',
  },
  wait_for_element: {
    kind: text('a list of CSS selectors'),
    group: 'Rendering',
    output: 'both',
    says: 'Wait until an element matching one of these CSS selectors is in the page or in one of its frames.',
  },
  screenshot_width: {
    kind: integer(96, 65_000, 'pixels'),
    group: 'Image',
    output: 'image',
    default: '1024',
    says: 'Width of the picture in pixels, before scale_factor.',
  },
  scale_factor: {
    kind: integer(10, 500, 'percent'),
    group: 'Image',
    output: 'image',
    default: '100',
    says: 'Scale of the picture: it becomes screenshot_width x scale_factor% pixels wide.',
  },
  debug_log: {
    kind: flag,
    group: 'Log',
    output: 'both',
    default: 'false',
    says: 'Record a debug log of this conversion; the answer names its address in x-service-debug-log.',
  },
} as const satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof table;

/** Every option by its wire name. */
export type Options = { readonly [N in OptionName]: RowValue<(typeof table)[N]> };

export const optionNames = Object.keys(table) as OptionName[];

function marginRow<const Side extends string>(side: Side) {
  return {
    kind: length,
    group: 'Page',
    output: 'pdf',
    default: '0.4in',
    says: `Space left free at the ${side} of each page.`,
  } as const;
}
