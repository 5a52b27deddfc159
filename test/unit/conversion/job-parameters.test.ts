import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionNames, table } from '../../../main/job/options.ts';
import { factsOfForm, parametersOf } from '../../../main/conversion/job-parameters.ts';

const fields = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
const asIs = (text: string) => text;
const upload = { path: '/uploads/1', name: 'site.zip', size: 1234 };

test('a job record has options as written, contents by length, files by name and size, and secrets masked', () => {
  const form = {
    fields: fields({
      page_size: 'a4',
      margin_top: ' 1in',
      text: '<p>x',
      user_password: 'secret',
      header_url: 'https://user:secret@example.com/?token=secret',
      no_such_option: 'secret',
      tag: '',
    }),
    files: [{ name: 'stream', upload }],
  };
  assert.deepEqual(parametersOf(form, asIs), {
    page_size: 'a4',
    margin_top: ' 1in',
    text: '(4 characters)',
    user_password: '***',
    header_url: 'https://example.com/?token=***',
    file: 'site.zip (1,234 bytes)',
  });
});

test('a secret is masked even where the value of another option contains it', () => {
  const form = { fields: fields({ tag: 'for hunter2' }), files: [] };
  assert.deepEqual(
    parametersOf(form, (text) => text.replaceAll('hunter2', '***')),
    { tag: 'for ***' },
  );
});

test('a job record names the input and its size, even for an invalid form', () => {
  const inputOf = (values: Readonly<Record<string, string>>, files: readonly (typeof upload)[] = []) => {
    const form = { fields: fields(values), files: files.map((file) => ({ name: 'file', upload: file })) };
    const { input, input_bytes, output_format } = factsOfForm(form, asIs);
    return [input, input_bytes, output_format];
  };
  assert.deepEqual(inputOf({ text: 'é', url: 'x', output_format: 'PNG' }, [upload]), ['file', 1234, 'png']);
  assert.deepEqual(inputOf({ text: 'é', url: 'x' }), ['url', null, 'pdf']);
  assert.deepEqual(inputOf({ text: 'é', output_format: 'doc' }), ['text', 2, null]);
  assert.deepEqual(inputOf({}), [null, null, 'pdf']);
});

test('the recorded parameters of a job take at most 16,000 bytes, and only the longest are shortened', () => {
  const long = [...optionNames].filter((name) => !('secret' in table[name]) && !('content' in table[name]));
  const values = Object.fromEntries(long.map((name) => [name, 'é"'.repeat(900)]));
  const form = { fields: fields({ ...values, page_size: 'a4', margin_top: '1in' }), files: [] };
  const { parameters } = factsOfForm(form, asIs);
  const size = Buffer.byteLength(parameters ?? '');
  assert.ok(size > 10_000 && size <= 16_000, `${size} bytes`);
  const read = JSON.parse(parameters ?? '') as Record<string, string>;
  assert.deepEqual(Object.keys(read).sort(), long.sort());
  assert.deepEqual([read.page_size, read.margin_top], ['a4', '1in']);
  assert.match(read.title ?? '', /^(é")+é?\.\.\.$/);
});

test('a job record is made from the first values of a list only, because masking all of them would take too long', () => {
  const described = Array.from({ length: 480 }, (_, index) => ({
    name: `attachment_description[${index % 100}]`,
    value: 'a'.repeat(4000),
  }));
  const masked: string[] = [];
  factsOfForm({ fields: described, files: [] }, (text) => {
    masked.push(text);
    return text;
  });
  assert.ok(masked.join('').length < 50_000, `${masked.join('').length} characters`);
});
