/** The options for the input and for the data that fills a template. */
import { flag, oneOf, text } from '../../fields/kinds.ts';
import { charset, longText, upload } from '../option-kinds.ts';
import { inGroup } from './option-row.ts';

export const inputRows = inGroup('Input', 'both', {
  url: {
    kind: text('an http or https address'),
    says: 'Address of the page to convert.',
  },
  file: {
    kind: upload,
    says: 'An HTML file, or an archive (.zip, .tar.gz, .tar.bz2, .tar) with an HTML file and its assets, as a file part. The type is detected from the content, not from the name. A part named stream is accepted too.',
    aliases: ['stream'],
  },
  text: {
    kind: longText('an HTML document'),
    says: 'HTML to convert, as the value of the field.',
    content: true,
  },
  zip_main_filename: {
    kind: text('the path of a file inside the archive'),
    says: 'HTML file to convert when an archive holds several. Default: the only HTML file in the top folder, else index.html, else the first one.',
  },
  zip_header_filename: {
    kind: text('the path of a file inside the archive'),
    output: 'pdf',
    says: 'HTML file in the archive to use as the header of each page.',
  },
  zip_footer_filename: {
    kind: text('the path of a file inside the archive'),
    output: 'pdf',
    says: 'HTML file in the archive to use as the footer of each page.',
  },
  default_encoding: {
    kind: charset,
    says: 'Character set of a page that declares none.',
  },
});

export const dataRows = inGroup('Data', 'both', {
  data_file: {
    kind: upload,
    says: 'Data, as a file part. The HTML is then a template that this data fills (docs/templates.md).',
  },
  data_string: {
    kind: longText('data in one of the formats of data_format'),
    says: 'Data, as the value of a field. data_file takes precedence.',
    content: true,
  },
  data_format: {
    kind: oneOf(['auto', 'json', 'xml', 'yaml', 'csv']),
    default: 'auto',
    says: 'Format of the data; auto detects it from the content.',
  },
  data_encoding: {
    kind: text('the name of a character set'),
    default: 'utf-8',
    says: 'Character set of data_file. A byte order mark takes precedence.',
  },
  data_options: {
    kind: text('key=value pairs separated by commas'),
    says: 'csv_delimiter, xml_remove_root and data_root (the name for data that has none; default: data).',
  },
  data_ignore_undefined: {
    kind: flag,
    default: 'false',
    says: 'Treat values that are missing in the data as empty. Otherwise they fail the conversion.',
  },
  data_auto_escape: {
    kind: flag,
    says: 'Escape HTML in values. By default, Handlebars escapes and Jinja does not.',
  },
  data_trim_blocks: {
    kind: flag,
    default: 'false',
    says: 'Remove the line break after a block tag of a Jinja template.',
  },
  data_variable_markers: {
    kind: oneOf(['standard', 'square', 'angle']),
    default: 'standard',
    says: 'Markers of a variable in a Jinja template: {{ }}, [[ ]] or << >>.',
  },
  template_engine: {
    kind: oneOf(['auto', 'handlebars', 'jinja']),
    default: 'auto',
    says: 'Language of the template; auto chooses Jinja when the template has {% %} tags.',
    own: true,
  },
});
