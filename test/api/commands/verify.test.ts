/** Recipes of documents, and `platen verify`, which compares documents with them. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Recipe } from '../../../main/log/recipe.ts';
import { send, type ConversionResponse, type Fields } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { runPlaten, temporaryFolder, type Service } from '../../support/service/service.ts';

const creation_date = '2026-11-26T09:30:00Z';

const run = (words: readonly string[]) => runPlaten(['verify', ...words]);

describe('platen verify', () => {
  let service: Service;
  const folder = temporaryFolder();
  const inputs = join(folder, 'inputs');
  const document = join(folder, 'document.pdf');
  const recipeFile = join(folder, 'recipe.json');
  before(async () => {
    service = await defaultService();
    mkdirSync(inputs);
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const recipeAddress = ({ headers }: ConversionResponse) =>
    `${headers.get('x-service-debug-log') ?? ''}.recipe.json`;

  /** Converts, stores the document and its recipe, and returns the recipe. */
  async function make(fields: Fields): Promise<Recipe> {
    const answer = await send(service, { ...fields, debug_log: true });
    assert.equal(answer.status, 200, answer.body.toString());
    const recipe = (await (await fetch(recipeAddress(answer))).json()) as Recipe;
    writeFileSync(document, answer.body);
    writeFileSync(recipeFile, JSON.stringify(recipe));
    return recipe;
  }

  test('compares the document with its recipe, and converts the request again', async () => {
    const html = '<style>p { color: red }</style>\n<p>Grüße</p>\n<pre>a\nb</pre>';
    const csv = 'a;b\n1;2\n';
    const recipe = await make({
      text: html,
      creation_date,
      page_size: 'A5',
      attachment: new File([csv], 'data.csv'),
    });
    assert.deepEqual(
      recipe.request.values.map((value) => [value.name, 'value' in value ? value.value : undefined]),
      [
        ['text', undefined],
        ['creation_date', creation_date],
        ['page_size', 'A5'],
        ['debug_log', 'true'],
        ['attachment', undefined],
      ],
    );
    assert.ok(recipe.fonts.length > 0);
    const plain = await run([recipeFile, document]);
    assert.deepEqual([plain.code, plain.err], [0, '']);
    assert.match(plain.out, /is the document of job \w+.*\nNot examined: whether the request/);
    writeFileSync(join(inputs, 'any-name.html'), html);
    const missing = await run([recipeFile, document, '--inputs', inputs]);
    assert.equal(missing.code, 2);
    assert.match(missing.err, /has no file with the content of attachment "data\.csv" \(8 bytes\)/);
    mkdirSync(join(inputs, 'more'));
    writeFileSync(join(inputs, 'more', 'other-name'), csv);
    const again = await run([recipeFile, document, '--inputs', inputs]);
    assert.deepEqual([again.code, again.err], [0, '']);
    assert.match(again.out, /Converted again with Platen .*: the same bytes\./);
    const changed: Recipe = { ...recipe, versions: { ...recipe.versions, chromium: '1.2.3.4' } };
    writeFileSync(
      recipeFile,
      JSON.stringify({
        ...changed,
        request: { values: [...changed.request.values, { name: 'title', value: 'Other' }] },
      }),
    );
    const other = await run([recipeFile, document, '--inputs', inputs]);
    assert.equal(other.code, 1);
    assert.match(other.out, /other bytes .* The document was made with Platen .*, Chromium 1\.2\.3\.4/);
  });

  test('compares a signed document, but does not convert its request again', async () => {
    const recipe = await make({ text: '<p>x', creation_date });
    const values = [...recipe.request.values, { name: 'sign', value: 'TRUE' }];
    writeFileSync(recipeFile, JSON.stringify({ ...recipe, request: { values } }));
    assert.equal((await run([recipeFile, document])).code, 0);
    const again = await run([recipeFile, document, '--inputs', inputs]);
    assert.equal(again.code, 2);
    assert.match(again.err, /the document is signed, and a signature contains the time of signing/);
  });

  test('detects a changed document', async () => {
    await make({ text: '<p>x' });
    writeFileSync(document, 'x');
    const { code, out } = await run([recipeFile, document]);
    assert.equal(code, 1);
    assert.match(out, /is not the document of job \w+: it has 1 byte and the SHA-256 2d711642b726b044/);
  });

  test('refuses to convert again what cannot have the same bytes', async () => {
    await make({ text: '<p>x' });
    assert.match((await run([recipeFile, document, '--inputs', inputs])).err, /has no creation_date/);
    const recipe = await make({
      text: '<p>x',
      creation_date,
      cookies: 'a=secretmarker',
      user_password: 'secretmarker',
    });
    assert.doesNotMatch(JSON.stringify(recipe), /secretmarker/);
    const { code, err } = await run([recipeFile, document, '--inputs', inputs]);
    assert.equal(code, 2);
    assert.match(err, /does not contain the secret values of cookies, user_password/);
  });

  test('explains what is wrong with its arguments and files', async () => {
    assert.match((await run([recipeFile])).err, /needs a recipe and a document/);
    assert.match((await run([join(folder, 'none'), document])).err, /none cannot be read: /);
    writeFileSync(recipeFile, '{"recipe": 1, "job": 5}');
    assert.match((await run([recipeFile, document])).err, /is not a recipe \(job: /);
    assert.equal((await run(['--help'])).code, 0);
  });

  test('a job without a document has no recipe', async () => {
    const answer = await send(service, { text: '<p>x', element_to_convert: '#gone', debug_log: true });
    assert.equal(answer.status, 400);
    const response = await fetch(recipeAddress(answer));
    assert.equal(response.status, 404);
    assert.match(await response.text(), /delivered no document/);
  });
});
