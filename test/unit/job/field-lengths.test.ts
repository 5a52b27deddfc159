import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropLongValues } from '../../../main/job/read-fields.ts';

const formOf = (...fields: (readonly [string, string])[]) => ({
  fields: fields.map(([name, value]) => ({ name, value })),
  files: [],
});
const long = 'x'.repeat(100_001);

test('text, data_string, header_html, footer_html, custom_css and custom_javascript may exceed 100,000 characters', () => {
  const names = ['text', 'data_string', 'header_html', 'footer_html', 'custom_css', 'custom_javascript'];
  const form = formOf(...names.map((name) => [name, long] as const));
  assert.deepEqual(dropLongValues(form), { form });
});

test('other values over 100,000 characters are dropped, and the error names the first such option', () => {
  const { form, problem } = dropLongValues(formOf(['text', 'x'], ['cookies', long], ['tag', long]));
  assert.deepEqual(form, formOf(['text', 'x']));
  assert.match(problem?.message ?? '', /\bcookies\b.*100,000/);
  assert.doesNotMatch(problem?.message ?? '', /tag/);
});

test('a value of exactly 100,000 characters is kept, and so is a conversion_config of exactly 1,000,000', () => {
  const form = formOf(['cookies', long.slice(1)], ['conversion_config', 'x'.repeat(1_000_000)]);
  assert.deepEqual(dropLongValues(form), { form });
  assert.match(
    dropLongValues(formOf(['conversion_config', 'x'.repeat(1_000_001)])).problem?.message ?? '',
    /1,000,000/,
  );
});

test('a long value is also refused if its name has an index', () => {
  const { form, problem } = dropLongValues(formOf(['attachment_description[0]', long]));
  assert.deepEqual(form, formOf());
  assert.match(problem?.message ?? '', /attachment_description is longer than the limit of 100,000/);
});

test('the long value of an unknown option is replaced with an empty one, so that the error is about the name of the option', () => {
  assert.deepEqual(dropLongValues(formOf(['bogus', long])), { form: formOf(['bogus', '']) });
});

test('a style sheet of more than 10,000,000 characters and a header of more than 2,000,000 are dropped', () => {
  const css = formOf(['custom_css', 'x'.repeat(10_000_001)]);
  assert.match(dropLongValues(css).problem?.message ?? '', /custom_css .*10,000,000/);
  const header = formOf(['header_html', 'x'.repeat(2_000_001)]);
  assert.match(dropLongValues(header).problem?.message ?? '', /header_html .*2,000,000/);
});

test('values above the limit of all values together are dropped', () => {
  const value = long.slice(1);
  const headers = Array.from({ length: 500 }, () => ['custom_http_header', value] as const);
  const { form, problem } = dropLongValues(formOf(['text', 'x'.repeat(3_000_000)], ...headers));
  assert.equal(form.fields.length, 11);
  assert.match(problem?.message ?? '', /1,000,000/);
});
