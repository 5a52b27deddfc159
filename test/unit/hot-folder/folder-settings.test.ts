import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { FolderSettingsProblem, readFolderSettings } from '../../../main/hot-folder/folder-settings.ts';
import { temporaryFolder } from '../../support/service/service.ts';

const folder = temporaryFolder();
after(() => {
  rmSync(folder, { recursive: true });
});
mkdirSync(join(folder, 'own'));
writeFileSync(join(folder, 'own', 'paper.pdf'), 'x');
symlinkSync('/etc/hostname', join(folder, 'link.pdf'));

const read = (content: unknown) =>
  readFolderSettings(folder, typeof content === 'string' ? content : JSON.stringify(content), {
    jobTimeoutMs: 60_000,
  });

async function refuses(content: unknown, message: RegExp): Promise<void> {
  await assert.rejects(read(content), (problem) => {
    assert.ok(problem instanceof FolderSettingsProblem, String(problem));
    assert.match(problem.message, message);
    return true;
  });
}

test('without a platen.json, pages are converted to PDF files next to them, stay in place, and load no other files', async () => {
  const settings = await readFolderSettings(folder, undefined, { jobTimeoutMs: 60_000 });
  assert.deepEqual(settings, {
    output: '',
    after: 'keep',
    assets: 'none',
    settleMs: 2000,
    pollMs: undefined,
    fields: [],
    files: [],
    format: 'pdf',
  });
});

test('options in platen.json have their API names, and strings or numbers as values', async () => {
  const { fields, format, after } = await read(
    '\ufeff{"output_format":"jpg","screenshot_width":800,"after":"move"}',
  );
  assert.deepEqual([format, after], ['jpg', 'move']);
  assert.deepEqual(fields, [
    { name: 'output_format', value: 'jpg' },
    { name: 'screenshot_width', value: '800' },
  ]);
});

test('options that take JSON, such as data_string, can be written as JSON values', async () => {
  const { fields } = await read({ data_string: { name: 'Ann' } });
  assert.deepEqual(fields, [{ name: 'data_string', value: '{"name":"Ann"}' }]);
});

test('the value of an option that may be repeated may be an array', async () => {
  const { fields, files } = await read({
    attachment: ['own/paper.pdf', 'own/paper.pdf'],
    attachment_description: ['', 'Copy'],
  });
  assert.deepEqual(
    files.map(({ name, path }) => `${name} ${path}`),
    ['attachment own/paper.pdf', 'attachment own/paper.pdf'],
  );
  assert.deepEqual(
    fields.map(({ value }) => value),
    ['', 'Copy'],
  );
  await refuses({ title: ['a', 'b'] }, /title must be a string, a number, true or false\.$/);
  await refuses({ attachment: [null] }, /attachment must be a string, .* or an array of them/);
});

test('options are validated like those of a request, and all problems are reported', async () => {
  await refuses(
    { page_size: 'A99', no_margin: true },
    /'no_margin' is not a known.*'A99' of page_size is not allowed/s,
  );
  await refuses({ pagesize: 'A4' }, /did you mean page_size/);
  await refuses({ page_size: ['A4'] }, /page_size must be a string/);
});

test('an invalid folder setting is reported with the allowed values, and a misspelt one with the nearest name', async () => {
  await refuses({ after: 'burn' }, /"burn" of after is not allowed; allowed: keep, move, delete/);
  await refuses({ aftr: 'keep' }, /did you mean after/);
  await refuses({ settle: 'soon' }, /settle is not allowed/);
  await refuses('{"after": "mo', /not valid JSON/);
  await refuses('[]', /must contain one JSON object/);
});

test('outputs can only be inside the folder, and not in its own subfolders failed and done', async () => {
  for (const output of ['..', '../x', '/tmp', 'a/../..', 'C:\\x', 'failed', 'done/x', '.hidden', 'a/', ''])
    await refuses({ output }, /of output is not allowed/);
  assert.equal((await read({ output: 'pdf/2026' })).output, 'pdf/2026');
});

test('the input and the output name cannot be set, because the source determines them', async () => {
  for (const name of ['url', 'text', 'file', 'output_name'])
    await refuses({ [name]: 'x' }, /the source determines it/);
});

test('files of options must be regular files inside the folder', async () => {
  const { files } = await read({ page_background: 'own/paper.pdf' });
  const outside = `${folder}-outside.pdf`;
  writeFileSync(outside, 'x');
  after(() => {
    rmSync(outside);
  });
  assert.deepEqual(files, [{ name: 'page_background', path: 'own/paper.pdf' }]);
  for (const path of [
    '/etc/hostname',
    `../${basename(outside)}`,
    outside,
    '.',
    'link.pdf',
    'own',
    'missing.pdf',
    '',
  ])
    await refuses(
      { page_background: path },
      /page_background names '.*', which is not a file inside this folder/,
    );
});

test('a platen.json with very many names is refused without being compared with the known names', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => [`page_header_foot${index}`, 1]);
  const began = performance.now();
  await refuses(Object.fromEntries(names), /20000 settings, but at most 500/);
  assert.ok(performance.now() - began < 2000);
});
