import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionNames, table, type OptionRow } from '../../../main/job/options.ts';
import { dropExcessiveValues, isFileOption } from '../../../main/job/read-fields.ts';

const formOf = (...fields: (readonly [string, string])[]) => ({
  fields: fields.map(([name, value]) => ({ name, value })),
  files: [],
});
const long = 'x'.repeat(200_001);

test('text and data_string are limited only by the size of the request', () => {
  const form = formOf(['text', 'x'.repeat(20_000_000)], ['data_string', 'x'.repeat(20_000_000)]);
  assert.deepEqual(dropExcessiveValues(form), { form });
});

test('a style sheet and a script have at most 10,000,000 characters, a header and a footer 2,000,000', () => {
  for (const name of [
    'custom_css',
    'custom_javascript',
    'on_load_javascript',
    'header_html',
    'footer_html',
  ]) {
    const maxLength = name.endsWith('_html') ? 2_000_000 : 10_000_000;
    const form = formOf([name, 'x'.repeat(maxLength)]);
    assert.deepEqual(dropExcessiveValues(form), { form });
    const { problem } = dropExcessiveValues(formOf([name, 'x'.repeat(maxLength + 1)]));
    assert.ok(
      problem?.message.includes(`${name} is longer than the limit of ${maxLength.toLocaleString('en')}`),
    );
  }
});

test('every option that is neither a content nor a file has a length limit, and keeps a value of exactly this length', () => {
  for (const name of optionNames) {
    const row: OptionRow = table[name];
    const { kind, content = false } = row;
    const isContent = content || isFileOption(row);
    assert.ok(isContent || kind.maxLength !== undefined, name);
    if (isContent || kind.maxLength === undefined) continue;
    assert.ok(kind.maxLength <= 200_000, name);
    const form = formOf([name, 'x'.repeat(kind.maxLength)]);
    assert.deepEqual(dropExcessiveValues(form), { form });
    const longer = dropExcessiveValues(formOf([name, 'x'.repeat(kind.maxLength + 1)]));
    assert.deepEqual(longer.form, formOf());
    assert.equal(longer.problem?.kind, 'valueNotAllowed');
    assert.ok(
      longer.problem.message.includes(
        `${name} is longer than the limit of ${kind.maxLength.toLocaleString('en')}`,
      ),
    );
  }
});

test('the error names the first option whose value is too long', () => {
  const { form, problem } = dropExcessiveValues(formOf(['text', 'x'], ['cookies', long], ['tag', long]));
  assert.deepEqual(form, formOf(['text', 'x']));
  assert.match(problem?.message ?? '', /\bcookies\b.*16,000/);
  assert.doesNotMatch(problem?.message ?? '', /tag/);
});

test('a long value is also refused if its name has an index', () => {
  const { form, problem } = dropExcessiveValues(formOf(['attachment_description[0]', long]));
  assert.deepEqual(form, formOf());
  assert.match(problem?.message ?? '', /attachment_description is longer than the limit of 4,000/);
});

test('the long value of an unknown option is replaced with an empty one, so that the error is about the name of the option', () => {
  assert.deepEqual(dropExcessiveValues(formOf(['bogus', long])), { form: formOf(['bogus', '']) });
});

test('of an option that is sent many times, two values are read, which is enough for the error', () => {
  const many = Array.from({ length: 500 }, (_, index) => ['cookies', `a=${index}`] as const);
  const { form } = dropExcessiveValues(formOf(...many, ['tag', 'a']));
  assert.deepEqual(form, formOf(['cookies', 'a=0'], ['cookies', 'a=1'], ['tag', 'a']));
});

test('all values of an option that may be repeated are kept', () => {
  const many = Array.from({ length: 500 }, (_, index) => ['attachment_description', `${index}`] as const);
  assert.equal(dropExcessiveValues(formOf(...many)).form.fields.length, 500);
});
