import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { PickedPath } from '../../../../main/app/native-bridge/picked-files.ts';
import { readRunForm, receiveRunForm } from '../../../../main/app/console-window/run-form.ts';

let root = '';
let folder = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'platen-form-'));
  folder = join(root, 'job');
  mkdirSync(folder);
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function receive(form: object, places: readonly PickedPath[] = [], maxUpload = 1_000_000) {
  const find = (id: string) => {
    const place = places.find((each) => each.id === id);
    if (place === undefined) throw new Error('not picked');
    return place;
  };
  return receiveRunForm(readRunForm({ fields: [], files: [], ...form }), {
    folder: { path: () => folder },
    maxUpload,
    find,
  });
}

/** Creates a folder of a site, including files and links that its archive must omit. */
function site(): PickedPath {
  const path = join(root, 'site');
  for (const name of ['css', 'node_modules', '.git', 'css/node_modules'])
    mkdirSync(join(path, name), { recursive: true });
  writeFileSync(join(root, 'secret'), 'secret');
  for (const name of ['index.html', 'css/a.css', 'node_modules/a.js', '.git/HEAD', 'css/node_modules/b.js'])
    writeFileSync(join(path, name), name);
  symlinkSync(join(root, 'secret'), join(path, 'link.html'));
  symlinkSync(root, join(path, 'up'));
  return { id: 'site', path, name: 'site', kind: 'folder' };
}

describe('The form of a run', () => {
  test("keeps its fields and stores its files in the job's folder", async () => {
    const bytes = new TextEncoder().encode('<p>own').buffer;
    const { form, problem } = await receive({
      fields: [['page_size', 'A5']],
      files: [{ name: 'file', filename: 'own.html', bytes }],
    });
    const [file] = form.files;
    assert.ok(file !== undefined);
    const { upload } = file;
    assert.equal(problem, undefined);
    assert.deepEqual(form.fields, [{ name: 'page_size', value: 'A5' }]);
    assert.ok(upload.path.startsWith(folder));
    assert.deepEqual(
      [readFileSync(upload.path, 'utf8'), upload.name, upload.size],
      ['<p>own', 'own.html', 6],
    );
  });

  test('has the content that a picked file has at the start of the run', async () => {
    const path = join(root, 'a.html');
    writeFileSync(path, 'before');
    const place = { id: 'a', path, name: 'a.html', kind: 'file' } as const;
    writeFileSync(path, 'now');
    const { form } = await receive({ picked: { field: 'file', id: 'a' } }, [place]);
    assert.equal(readFileSync(form.files[0]?.upload.path ?? '', 'utf8'), 'now');
    assert.equal(form.files[0]?.name, 'file');
  });

  test('has a picked folder as a tar without links, node_modules and .git', async () => {
    const { form, problem } = await receive({ picked: { field: 'file', id: 'site' } }, [site()]);
    assert.equal(problem, undefined);
    const listing = execFileSync('tar', ['-tf', '-'], {
      encoding: 'utf8',
      input: readFileSync(form.files[0]?.upload.path ?? ''),
    });
    const names = listing.split(/\r?\n/).filter((name) => name !== '' && !name.endsWith('/'));
    assert.deepEqual(names.map((name) => name.replace(/^\.\//, '')).sort(), ['css/a.css', 'index.html']);
    assert.equal(form.files[0]?.upload.name, 'site.tar');
  });

  test('is refused when an uploaded file, a picked file or a picked folder exceeds the upload limit', async () => {
    const bytes = new ArrayBuffer(2000);
    const big = join(root, 'big.html');
    writeFileSync(big, Buffer.alloc(2000));
    const file = { id: 'big', path: big, name: 'big.html', kind: 'file' } as const;
    const attempts = await Promise.all([
      receive({ files: [{ name: 'file', filename: 'a', bytes }] }, [], 1999),
      receive({ picked: { field: 'file', id: 'big' } }, [file], 1999),
      receive({ picked: { field: 'file', id: 'site' } }, [site()], 1999),
    ]);
    for (const { problem } of attempts) assert.match(problem?.message ?? '', /upload limit/);
  });

  test('is refused with more than 20 files, counting the picked one', async () => {
    const file = { name: 'attachment', filename: 'a', bytes: new ArrayBuffer(1) };
    const picked = { field: 'file', id: 'site' };
    const places = [site()];
    assert.equal((await receive({ files: Array(19).fill(file), picked }, places)).problem, undefined);
    const { form, problem } = await receive({ files: Array(20).fill(file), picked }, places);
    assert.match(problem?.message ?? '', /more than 20 files/);
    assert.deepEqual(form.files, []);
  });

  test('is refused when malformed, before anything is written', () => {
    for (const sent of [undefined, {}, { fields: 'x', files: [] }, { fields: [], files: [{ name: 'a' }] }])
      assert.throws(() => readRunForm(sent), /not the form of a run/);
    assert.deepEqual(readdirSync(folder), []);
  });
});
