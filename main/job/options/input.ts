/** The options that say what is converted, and what data fills it. */
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
    says: 'An HTML file, or an archive (.zip, .tar.gz, .tar.bz2, .tar) of one with its assets, as a file part. Its content decides what it is, not its name. A part named stream is the same.',
    aliases: ['stream'],
  },
  text: {
    kind: longText('an HTML document'),
    says: 'The HTML to convert, as the value of the field.',
    content: true,
  },
  zip_main_filename: {
    kind: text('the path of a file inside the archive'),
    says: 'The HTML file to convert when an archive holds several. Without it that is the only one at the top, else index.html, else the first.',
  },
  zip_header_filename: {
    kind: text('the path of a file inside the archive'),
    output: 'pdf',
    says: 'The HTML file of the archive that is the header of each page.',
  },
  zip_footer_filename: {
    kind: text('the path of a file inside the archive'),
    output: 'pdf',
    says: 'The HTML file of the archive that is the footer of each page.',
  },
  default_encoding: {
    kind: charset,
    says: 'Character set of a page that declares none itself.',
  },
});

export const dataRows = inGroup('Data', 'both', {
  data_file: {
    kind: upload,
    says: 'Data that fills the HTML, which is a template then (docs/templates.md), as a file part.',
  },
  data_string: {
    kind: longText('data in one of the formats of data_format'),
    says: 'The same as the value of a field; data_file beats it.',
    content: true,
  },
  data_format: {
    kind: oneOf(['auto', 'json', 'xml', 'yaml', 'csv']),
    default: 'auto',
    says: 'Format of the data; auto tells it by its content.',
  },
  data_encoding: {
    kind: text('the name of a character set'),
    default: 'utf-8',
    says: 'Character set of data_file; a byte order mark beats it.',
  },
  data_options: {
    kind: text('key=value pairs separated by commas'),
    says: 'csv_delimiter, xml_remove_root and data_root (the name of data that has none, data by default).',
  },
  data_ignore_undefined: {
    kind: flag,
    default: 'false',
    says: 'Take values that the data lacks as empty. Otherwise they fail the conversion.',
  },
  data_auto_escape: {
    kind: flag,
    says: 'Escape HTML in values. Without it Handlebars does and Jinja does not.',
  },
  data_trim_blocks: {
    kind: flag,
    default: 'false',
    says: 'Remove the line break after a block tag of a Jinja template.',
  },
  data_variable_markers: {
    kind: oneOf(['standard', 'square', 'angle']),
    default: 'standard',
    says: 'What marks a variable in a Jinja template: {{ }}, [[ ]] or << >>.',
  },
  template_engine: {
    kind: oneOf(['auto', 'handlebars', 'jinja']),
    default: 'auto',
    says: 'Language of the template; auto takes Jinja when it has {% %} tags.',
    own: true,
  },
});
