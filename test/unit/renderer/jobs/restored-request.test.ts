import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parametersOf } from '../../../../main/conversion/job-parameters.ts';
import type { Form } from '../../../../main/job/read-fields.ts';
import { restoredRequest } from '../../../../renderer/jobs/restored-request.ts';

test('the call of a URL job is restored completely', () => {
  const { kind, url, options, isInputMissing, missing } = restoredRequest({
    input: 'url',
    parameters: recorded({ url: 'https://example.com/a', page_size: 'A5', debug_log: 'true' }),
  });
  assert.deepEqual([kind, url, isInputMissing, missing], ['url', 'https://example.com/a', false, []]);
  assert.deepEqual([...options], [['page_size', 'A5']]);
});

test('secrets and contents are not restored, and the call names them as missing', () => {
  const { options, missing } = restoredRequest({
    input: 'url',
    parameters: recorded({
      url: 'https://example.com',
      owner_password: 'geheim',
      header_html: '<b>kopf</b>',
      margin_top: '20mm',
    }),
  });
  assert.deepEqual([...options], [['margin_top', '20mm']]);
  assert.deepEqual(missing, [
    { name: 'owner_password', why: 'secret' },
    { name: 'header_html', why: 'content' },
  ]);
});

test('a value with a masked secret is not restored', () => {
  const { options, missing } = restoredRequest({
    input: 'text',
    parameters: { custom_http_header: 'X: ***' },
  });
  assert.equal(options.size, 0);
  assert.equal(missing[0]?.why, 'secret');
});

test('a file must be picked again, and the call shows its name', () => {
  const { kind, file, isInputMissing } = restoredRequest({
    input: 'file',
    parameters: { file: 'Rechnung (2).zip (1,234 bytes)' },
  });
  assert.deepEqual([kind, file, isInputMissing], ['file', 'Rechnung (2).zip', true]);
});

test('an option that may be repeated is not restored, even if it was sent once', () => {
  const upload = (name: string) => ({ name: 'attachment', upload: { path: '', name, size: 1 } });
  const { options, missing } = restoredRequest({
    input: 'url',
    parameters: parametersOf(
      {
        fields: [
          { name: 'url', value: 'https://example.com' },
          { name: 'attachment_description', value: 'Prices, and more' },
        ],
        files: [upload('a.txt'), upload('b, c.txt')],
      },
      (text) => text,
    ),
  });
  assert.equal(options.size, 0);
  assert.deepEqual(missing, [
    { name: 'attachment_description', why: 'content' },
    { name: 'attachment', why: 'file' },
  ]);
});

test('HTML with data is restored as a template', () => {
  const parameters = recorded({ text: '<p>{{name}}</p>', data_string: '{"name":"x"}' });
  const { kind, isInputMissing, missing } = restoredRequest({ input: 'text', parameters });
  assert.deepEqual([kind, isInputMissing], ['template', true]);
  assert.deepEqual(missing, [{ name: 'data_string', why: 'content' }]);
});

test('a long value that was recorded in part is not restored', () => {
  const parameters = recorded({ url: 'https://example.com', wait_for_element: `#${'a'.repeat(3000)}` });
  const { options, missing } = restoredRequest({ input: 'url', parameters });
  assert.equal(options.size, 0);
  assert.deepEqual(missing, [{ name: 'wait_for_element', why: 'truncated' }]);
});

test('a job with an unreadable request restores nothing', () => {
  const { options, isInputMissing } = restoredRequest({ input: null, parameters: null });
  assert.deepEqual([options.size, isInputMissing], [0, true]);
});

/** Returns the parameters as the service records them. */
function recorded(parameters: Readonly<Record<string, string>>): Record<string, string> {
  const fields: Form['fields'] = Object.entries(parameters).map(([name, value]) => ({ name, value }));
  return { ...parametersOf({ fields, files: [] }, (text) => text) };
}
