import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutLongValues } from '../../../main/job/field-lengths.ts';

const formOf = (...fields: (readonly [string, string])[]) => ({
  fields: fields.map(([name, value]) => ({ name, value })),
  files: [],
});
const long = 'x'.repeat(100_001);

test('documents, data, styles and scripts may be as long as the request', () => {
  const names = ['text', 'data_string', 'header_html', 'footer_html', 'custom_css', 'custom_javascript'];
  const form = formOf(...names.map((name) => [name, long] as const));
  assert.deepEqual(withoutLongValues(form), { form });
});

test('another value that is too long is refused by its name, and is not looked at', () => {
  const { form, problem } = withoutLongValues(formOf(['text', 'x'], ['cookies', long], ['tag', long]));
  assert.deepEqual(form, formOf(['text', 'x']));
  assert.equal(problem?.message, 'The value of cookies is longer than 100,000 characters, the limit.');
});

test('a value of just the limit is read', () => {
  const form = formOf(['cookies', long.slice(1)], ['conversion_config', 'x'.repeat(1_000_000)]);
  assert.deepEqual(withoutLongValues(form), { form });
  assert.match(
    withoutLongValues(formOf(['conversion_config', 'x'.repeat(1_000_001)])).problem?.message ?? '',
    /1,000,000/,
  );
});

test('a name that is none stays, to be refused as that', () => {
  assert.deepEqual(withoutLongValues(formOf(['bogus', long])), { form: formOf(['bogus', '']) });
});
