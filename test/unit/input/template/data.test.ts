import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill, notesOf, errorMessageOf } from './fill.ts';

const rows = '{{#each data}}{{name}}={{price}};{{/each}}';

test('JSON, YAML, XML and CSV are detected by their content', () => {
  const formats: [string, string][] = [
    ['{"a": 1}', 'json'],
    ['[1]', 'json'],
    ['\n  {"a":\n1}', 'json'],
    ['a: 1\nb: [2]', 'yaml'],
    ['# note\n---\na: 1', 'yaml'],
    ['- 1\n- 2', 'yaml'],
    ['<?xml version="1.0"?><a/>', 'xml'],
    ['name,price\npen,1', 'csv'],
    ['"name","price"\n"pen","1"', 'csv'],
  ];
  for (const [data, format] of formats)
    assert.match(notesOf('x', { data }).join(), new RegExp(`as ${format}\\.`), data);
});

test('CSV rows are available as `data`, or under the name that data_root gives, with keys from the first row', () => {
  assert.equal(fill(rows, { data: 'name,price\npen,0.5\n"ink, blue","2"\n' }), 'pen=0.5;ink, blue=2;');
  assert.equal(
    fill(rows, { data: 'name;price\npen;1', options: { data_options: 'csv_delimiter=;' } }),
    'pen=1;',
  );
  assert.equal(
    fill('{{#each rows}}{{name}}{{/each}}', {
      data: 'name\tprice\npen\t1',
      options: { data_options: 'csv_delimiter=\\t,data_root=rows', data_format: 'csv' },
    }),
    'pen',
  );
});

test('a list is available as `data`, or under the name that data_root gives', () => {
  assert.equal(fill('{{length data}}', { data: [1, 2] }), '2');
  assert.equal(fill('{{length rows}}', { data: [1, 2], options: { data_options: 'data_root=rows' } }), '2');
});

test('XML elements become objects and attributes keys with @; xml_remove_root omits the root element', () => {
  const data = '<invoice id="7"><item>pen &amp; &#65;</item><item>ink</item></invoice>';
  assert.equal(fill('{{invoice.[@id]}} {{join invoice.item}}', { data }), '7 pen &amp; A, ink');
  assert.equal(
    fill('{{join item}}', { data, options: { data_options: 'xml_remove_root=true' } }),
    'pen &amp; A, ink',
  );
});

test('data is read in data_encoding, or by its byte order mark; other bytes are refused with their position', () => {
  const latin = Buffer.from('{"a":"Gr\xfc\xdfe"}', 'latin1');
  assert.equal(fill('{{a}}', { data: latin, options: { data_encoding: 'windows-1252' } }), 'Grüße');
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"a":"Grüße"}', 'utf16le')]);
  assert.equal(fill('{{a}}', { data: wide }), 'Grüße');
  assert.equal(fill('{{a}}', { data: Buffer.from('\ufeff{"a":1}') }), '1');
  assert.equal(
    fill('{{a}}', { data: Buffer.from('{"a":"\x81"}', 'latin1'), options: { data_encoding: 'cp437' } }),
    'ü',
  );
  assert.match(errorMessageOf('{{a}}', { data: latin }), /not UTF-8 at line 1, column 9.*data_encoding/);
  assert.match(
    errorMessageOf('{{a}}', { data: '{}', options: { data_encoding: 'martian' } }),
    /'martian' is not known/,
  );
});

test('invalid data is refused with line and column', () => {
  const broken: [string, RegExp][] = [
    ['{"a": 1,\n "b": }', /not valid JSON at line 2, column 7: value expected, near '"b": }'/],
    ['{"a": 1, // c\n"b": 2}', /JSON at line 1, column 10: invalid comment/],
    ['[1,2,]', /JSON at line 1, column 6/],
    ['{"a": 1', /JSON at line 1, column 8/],
    ['{"a": "x\ny"}', /JSON at line 1, column 7/],
    ['a: 1\nb: [1', /YAML at line 2/],
    ['a: !!js/function x', /YAML at line 1, column 4: unresolved tag/],
    ['<a>\n<b></a>', /XML at line 2, column 4/],
    ['name,price\npen', /CSV at line 2/],
    [' \n', /The data is empty/],
  ];
  for (const [data, expected] of broken) assert.match(errorMessageOf('x', { data }), expected, data);
});

test('unknown data_options are refused', () => {
  assert.match(
    errorMessageOf('x', { options: { data_options: 'csv_seperator=;' } }),
    /'csv_seperator=;' in data_options is not known/,
  );
});
