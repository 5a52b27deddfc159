import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  data,
  file,
  form,
  html,
  inputKind,
  options,
  problemWith,
  setOption,
  template,
  url,
} from '../../../../renderer/call/call.ts';
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

test('an option that was sent several times keeps its files, and its texts as lines', () => {
  const files = ['a.txt', 'b.txt', 'a.txt'].map((name) => ({
    name: 'attachment',
    file: new File([name], name),
  }));
  for (const texts of [
    ['One', '', 'Three'],
    ['', 'Two'],
  ]) {
    const descriptions = texts.map((value) => pair('attachment_description', value));
    const sent = { fields: [pair('text', 'x'), ...descriptions], files };
    fillFromRun(sent);
    assert.equal(options.value.get('attachment_description'), texts.join('\n'));
    assert.deepEqual(
      options.value.get('attachment'),
      files.map(({ file }) => file),
    );
    assert.deepEqual(form.value, sent);
  }
});

test('empty lines at the end are not sent, and an option without files is unset', () => {
  setOption('attachment_description', 'One\n\n');
  setOption('attachment', []);
  assert.deepEqual(form.value.fields.at(-1), pair('attachment_description', 'One'));
  assert.ok(!options.value.has('attachment'));
});

test('an invalid line makes the value of the option invalid', () => {
  assert.equal(problemWith('attachment_relationship', 'Data\n\nsource\n'), undefined);
  assert.match(problemWith('attachment_relationship', 'Data\nParent') ?? '', /Source, Data/);
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
