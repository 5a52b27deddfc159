/** The options for the input and for the data that fills a template. */
import { flag, maxLengths, oneOf, text } from '../../fields/kinds.ts';
import { charset, longText, upload } from '../option-kinds.ts';
import { optionGroup } from './option-row.ts';

export const inputRows = optionGroup('Input', 'both', {
  url: {
    kind: text('an http or https address', maxLengths.address),
    description: 'Address of the page to convert.',
  },
  file: {
    kind: upload,
    description:
      'An HTML file, or an archive (.zip, .tar.gz, .tar.bz2, .tar) with an HTML file and its assets, as a file part. The type is detected from the content, not from the name. A part named stream is accepted too.',
    aliases: ['stream'],
  },
  text: {
    kind: longText('an HTML document'),
    description: 'HTML to convert, as the value of the field.',
    content: true,
  },
  zip_main_filename: {
    kind: text('the path of a file inside the archive'),
    description:
      'HTML file to convert if an archive contains several. Default: the only HTML file in the top folder, else its index.html, else its first one. Without one there, the only HTML file or the only index.html of the subfolders.',
  },
  zip_header_filename: {
    kind: text('the path of a file inside the archive'),
    output: 'pdf',
    description: 'HTML file in the archive to use as the header of each page.',
  },
  zip_footer_filename: {
    kind: text('the path of a file inside the archive'),
    output: 'pdf',
    description: 'HTML file in the archive to use as the footer of each page.',
  },
  default_encoding: {
    kind: charset,
    description: 'Character set of a page that declares none.',
  },
});

export const dataRows = optionGroup('Data', 'both', {
  data_file: {
    kind: upload,
    description:
      'Data, as a file part. The HTML is then a template that this data fills (docs/templates.md).',
  },
  data_string: {
    kind: longText('data in one of the formats of data_format'),
    description: 'Data, as the value of a field. data_file takes precedence.',
    content: true,
  },
  data_format: {
    kind: oneOf(['auto', 'json', 'xml', 'yaml', 'csv']),
    default: 'auto',
    description: 'Format of the data; auto detects it from the content.',
  },
  data_encoding: {
    kind: text('the name of a character set', maxLengths.word),
    default: 'utf-8',
    description: 'Character set of data_file. A byte order mark takes precedence.',
  },
  data_options: {
    kind: text('key=value pairs separated by commas'),
    description:
      'csv_delimiter, xml_remove_root and data_root (the name for data that has none; default: data).',
  },
  data_ignore_undefined: {
    kind: flag,
    default: 'false',
    description: 'Treat values that are missing in the data as empty. Otherwise they fail the conversion.',
  },
  data_auto_escape: {
    kind: flag,
    description: 'Escape HTML in values. By default, Handlebars escapes and Jinja does not.',
  },
  data_trim_blocks: {
    kind: flag,
    default: 'false',
    description: 'Remove the line break after a block tag of a Jinja template.',
  },
  data_variable_markers: {
    kind: oneOf(['standard', 'square', 'angle']),
    default: 'standard',
    description: 'Markers of a variable in a Jinja template: {{ }}, [[ ]] or << >>.',
  },
  template_engine: {
    kind: oneOf(['auto', 'handlebars', 'jinja']),
    default: 'auto',
    description: 'Language of the template; auto chooses Jinja when the template has {% %} tags.',
    isExtension: true,
  },
});
