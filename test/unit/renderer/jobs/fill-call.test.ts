import assert from 'node:assert/strict';
import { test } from 'node:test';
import { data, file, form, html, inputKind, options, template, url } from '../../../../renderer/call/call.ts';
import { requestOfRun, fillFromRun } from '../../../../renderer/jobs/fill-call.ts';
import { runs, type ConsoleRun } from '../../../../renderer/run/runs.ts';

test('reopening a run of this window restores all sent fields, including secrets', () => {
  const sent = { fields: [pair('text', '<p>x</p>'), pair('owner_password', 'geheim')], files: [] };
  fillFromRun(sent);
  assert.deepEqual([inputKind.value, html.value], ['html', '<p>x</p>']);
  assert.deepEqual(form.value, sent);
});

test('an input is restored as a file, text or a URL, as it was sent', () => {
  const upload = new File(['PK'], 'site.zip');
  fillFromRun({ fields: [pair('url', 'https://example.com')], files: [] });
  assert.deepEqual([inputKind.value, url.value], ['url', 'https://example.com']);
  fillFromRun({ fields: [pair('text', '{{a}}'), pair('data_string', '{"a":1}')], files: [] });
  assert.deepEqual([inputKind.value, template.value, data.value], ['template', '{{a}}', '{"a":1}']);
  fillFromRun({ fields: [], files: [{ name: 'file', file: upload }] });
  assert.equal(inputKind.value, 'file');
  assert.deepEqual(file.value, { kind: 'upload', file: upload });
});

test('files of options are restored, and options of an earlier call are cleared', () => {
  const stamp = new File(['%PDF'], 'stamp.pdf');
  options.value = new Map([['page_size', 'A5']]);
  fillFromRun({ fields: [pair('text', 'x')], files: [{ name: 'page_watermark', file: stamp }] });
  assert.deepEqual([...options.value], [['page_watermark', stamp]]);
});

test('a run is found by the id of its job', () => {
  const sent = { fields: [pair('text', 'x')], files: [] };
  runs.value = [
    { number: 1, form: sent, state: { kind: 'running', job: 'abc', stages: [] } } as unknown as ConsoleRun,
  ];
  assert.equal(requestOfRun('abc'), sent);
  assert.equal(requestOfRun('def'), undefined);
});

function pair(name: string, value: string): readonly [string, string] {
  return [name, value];
}
