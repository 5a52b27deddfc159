import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { checkForm, readForm } from '../../../../main/cli/convert/form.ts';
import { mayReferToFiles } from '../../../../main/cli/convert/remote.ts';
import { parseConvertArguments } from '../../../../main/cli/convert/arguments.ts';

const limits = { 'job-timeout': 60_000, alias: undefined };

describe('The options of a command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-form-'));
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const path = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const formOf = (...words: string[]) => readForm(parseConvertArguments(words).options, 'pdf');

  test('become the fields and files of a form', async () => {
    const data = path('d.json', '{}');
    const { fields, files } = await formOf('--title', 'T', '--encrypt', '--data-file', data);
    assert.deepEqual(Object.fromEntries(fields.map(({ name, value }) => [name, value])), {
      title: 'T',
      encrypt: 'true',
      output_format: 'pdf',
    });
    assert.deepEqual(files, [{ name: 'data_file', path: data, filename: 'd.json' }]);
  });

  test('can be read from files; the final line break of a password is removed', async () => {
    const header = path('h.html', '\ufeff<b>Head</b>\n');
    const password = path('p.txt', 'secret \n');
    const { fields } = await formOf('--header-file', header, '--user-password-file', password);
    assert.equal(fields.find(({ name }) => name === 'header_html')?.value, '<b>Head</b>\n');
    assert.equal(fields.find(({ name }) => name === 'user_password')?.value, 'secret ');
  });

  test('that name a missing file or a folder are refused', async () => {
    await assert.rejects(formOf('--data-file', '/nowhere.json'), /given for data_file.*does not exist/);
    await assert.rejects(formOf('--page-watermark', folder), /page_watermark, is not a file/);
  });

  test('are all checked, and all problems are in one error', async () => {
    const form = await formOf('--page-size', 'A9', '--margin-top', '1furlong');
    await assert.rejects(checkForm(form, limits, 'text'), {
      name: 'UsageProblem',
      message: /'A9' of page_size.*also, .*margin_top/,
    });
    const config = path('c.json', '{"pageSetup": 1}');
    const withFile = await formOf('--conversion-config-file', config);
    await assert.rejects(checkForm(withFile, limits, 'text'), /conversion_config/);
    await checkForm(await formOf('--page-size', 'A5'), limits, 'url');
  });
});

describe('A page is sent to a service', () => {
  const nothing = { fields: [], files: [] };
  const refers = (html: string, form = nothing as Parameters<typeof mayReferToFiles>[1]) =>
    mayReferToFiles(new Blob([html]), form);

  test('with its folder if the page or inserted content may refer to files', async () => {
    const pages = ['<img src=a.png>', '<style>p{background:url(a.png)}', '<script>1</script>', '\0<\0i'];
    for (const html of pages) assert.equal(await refers(html), true, html);
    const fields = [{ name: 'header_html', value: '<img>' }];
    assert.equal(await refers('<p>Text', { ...nothing, fields }), true);
  });

  test('without its folder if it cannot refer to files', async () => {
    assert.equal(await refers('<!doctype html><p style="color: red">Text</p>'), false);
  });
});
