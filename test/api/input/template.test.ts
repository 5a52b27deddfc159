import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert, htmlFile, refusal, send } from '../../support/service/convert.ts';
import { pdfFacts, pdfText } from '../../support/output/pdf.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

const invoice = `<h1>Invoice {{number}}</h1>{{#each lines}}<p>{{name}}: {{currency price "EUR"}}</p>{{/each}}
<p>Total {{currency (sum lines "price") "EUR"}}</p>`;
const data = {
  number: 42,
  lines: [
    { name: 'Tea & <b>milk</b>', price: 3.5 },
    { name: 'Cake', price: 0.1 },
  ],
};
const json = JSON.stringify(data);

describe('Templates:', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  test('a file is filled with data_file, with escaped values, and numbers in the format of the locale', async () => {
    const fields = { file: htmlFile(invoice, 'invoice.html'), data_file: htmlFile(json, 'data.json') };
    assert.equal(
      pdfText(await convert(service, fields)),
      'Invoice 42 Tea & <b>milk</b>: €3.50 Cake: €0.10 Total €3.60',
    );
    assert.match(pdfText(await convert(service, { ...fields, locale: 'de-DE' })), /Total 3,60 €/);
  });

  test('a template in text is filled with data_string, and Jinja is recognised by its tags', async () => {
    const text = '{% for line in lines %}<p>{{ loop.index }} {{ line.name }}</p>{% endfor %}';
    assert.match(pdfText(await convert(service, { text, data_string: json })), /1 Tea & milk 2 Cake/);
  });

  test('XML, YAML and CSV data fill a template as well', async () => {
    const text = '<p>{{#each data}}{{name}};{{/each}}{{name}}</p>';
    const options = { text, data_ignore_undefined: true };
    assert.match(
      pdfText(await convert(service, { ...options, data_string: 'name,price\nTea,1\nCake,2' })),
      /Tea;Cake;/,
    );
    assert.match(pdfText(await convert(service, { ...options, data_string: 'name: Ümlaut' })), /Ümlaut/);
    const xml = { data_string: '<root><name>inside</name></root>', data_options: 'xml_remove_root=true' };
    assert.match(pdfText(await convert(service, { ...options, ...xml })), /inside/);
  });

  test('with data_variable_markers, variables in [[ ]] or << >> are filled, and {{ }} remains for the scripts of the page', async () => {
    const text = '<p>[[ number ]]</p><p>{{ number }}</p>';
    const square = { text, data_string: json, data_variable_markers: 'square' };
    assert.equal(pdfText(await convert(service, square)), '42 {{ number }}');
    const angle = { text: '<p><<number>></p>', data_string: json, data_variable_markers: 'angle' };
    assert.equal(pdfText(await convert(service, angle)), '42');
  });

  test('a missing value fails with 400.313, its name and position, or is empty with data_ignore_undefined', async () => {
    const text = '<p>one</p>\n<p>{{customer.name}}</p>';
    assert.match(await refusal(service, { text, data_string: '{}' }), /^400\.313 - .*line 2.*customer/);
    const empty = await convert(service, { text, data_string: '{}', data_ignore_undefined: true });
    assert.equal(pdfText(empty), 'one');
  });

  test('an error in the template or the data fails with 400.313, with line and column', async () => {
    assert.match(
      await refusal(service, { text: '<p>\n{{#if x}}', data_string: '{}' }),
      /^400\.313 - .*line \d/,
    );
    assert.match(
      await refusal(service, { text: '{{a}}', data_string: '{"a": 1,\n "b": }' }),
      /^400\.313 - .*line 2, column/,
    );
  });

  test('a document without data is never a template, and data without a document is refused', async () => {
    assert.equal(
      pdfText(await convert(service, { text: '<p>{{ name }} {% if %}</p>' })),
      '{{ name }} {% if %}',
    );
    assert.match(
      await refusal(service, { url: 'http://example.com/', data_string: '{}' }),
      /^400\.311 - .*template/,
    );
  });

  test('data_file takes precedence over data_string, with a note, because reused clients send both', async () => {
    const fields = { text: '<p>{{ a }}', data_string: '{"a": "text"}', data_file: htmlFile('{"a": "file"}') };
    const { headers, body } = await send(service, { ...fields, debug_log: true });
    assert.equal(pdfText(body), 'file');
    assert.equal(headers.get('x-service-notes'), '1');
    const log = await (await fetch(headers.get('x-service-debug-log') ?? '')).text();
    assert.match(log, /data_string was ignored, because data_file was given too/);
  });

  test('attacks fail with 400.313, and the service continues to work', async () => {
    const attacks = [
      '{{constructor.constructor "return process"}}',
      '{{#with "s" as |string|}}{{#with (lookup string "sub")}}{{this.constructor}}{{/with}}{{/with}}',
      '{{__proto__.polluted}}',
      '{% set x = "".constructor %}{{ x("return process")() }}',
      '{% for i in range(100000000) %}x{% endfor %}',
    ];
    for (const text of attacks) {
      assert.match(await refusal(service, { text, data_string: '{"a":1}' }), /^400\.313 - /, text);
    }
    assert.equal((await send(service, { text: 'x' })).status, 200);
  });

  test('a template is filled with 1,200 items', async () => {
    const lines = Array.from({ length: 1200 }, (_, n) => ({ name: `Item ${n}`, price: n / 100 }));
    const long = await convert(service, { text: invoice, data_string: JSON.stringify({ number: 1, lines }) });
    assert.ok(pdfFacts(long).pages > 20);
    assert.match(pdfText(long), /Total €7,194\.00/);
  });
});
