import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formDataOf, type ConversionRequest } from '../../../client/form.ts';

const sent = (request: ConversionRequest) => [...formDataOf(request).entries()];

test('options are sent by name, and undefined ones are omitted', () => {
  const options = { page_size: 'A5', scale_factor: 50, tagged: false, title: undefined } as const;
  assert.deepEqual(sent({ html: '<p>', options }), [
    ['text', '<p>'],
    ['page_size', 'A5'],
    ['scale_factor', '50'],
    ['tagged', 'false'],
  ]);
});

test('the values of an option that may be repeated are sent in order, and an undefined one keeps its place', () => {
  const attachment_description = ['A', undefined, 'C'] as unknown as readonly string[];
  assert.deepEqual(sent({ html: '<p>', options: { attachment_description } }).slice(1), [
    ['attachment_description', 'A'],
    ['attachment_description', ''],
    ['attachment_description', 'C'],
  ]);
});

test('a file may be a Blob, a File with its name, bytes, or content with a name', async () => {
  for (const [file, name] of [
    [new Blob(['<p>x']), 'file'],
    [new File(['<p>x'], 'a.html'), 'a.html'],
    [new TextEncoder().encode('<p>x'), 'file'],
    [Buffer.from('-<p>x-').subarray(1, 5), 'file'],
    [new TextEncoder().encode('<p>x').buffer, 'file'],
    [{ name: 'b.html', content: Buffer.from('<p>x') }, 'b.html'],
  ] as const) {
    const part = formDataOf({ file }).get('file');
    assert.ok(part instanceof File);
    assert.equal(part.name, name);
    assert.equal(await part.text(), '<p>x');
  }
});

test('data is sent as JSON, even if it is null', () => {
  assert.deepEqual(sent({ html: '{{a}}', data: { a: 1 } }).slice(1), [
    ['data_string', '{"a":1}'],
    ['data_format', 'json'],
  ]);
  assert.equal(formDataOf({ html: 'x', data: null }).get('data_string'), 'null');
});

test('invalid arguments throw before anything is sent', () => {
  const wrong = (request: object) => () => formDataOf(request as ConversionRequest);
  assert.throws(wrong({}), /give exactly one of url, html, file and archive/);
  assert.throws(wrong({ url: 'http://a', html: 'b' }), /give exactly one of/);
  assert.throws(wrong({ file: './page.html' }), /file takes a Blob.*openFile/);
  assert.throws(wrong({ html: 'x', options: { data_file: {} } }), /data_file takes a Blob/);
});
