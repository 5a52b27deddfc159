import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { openPickedFiles, type PickedFiles } from '../../../../main/app/native-bridge/picked-files.ts';

let folder = '';
let file = '';
let changed: string[] = [];
let next: () => void = () => {};
let pickedFiles: PickedFiles;
/** Keeps the process alive, because the watch alone does not (it polls on Windows). */
let alive: NodeJS.Timeout;

beforeEach(() => {
  alive = setInterval(() => {}, 1000);
  folder = mkdtempSync(join(tmpdir(), 'platen-chosen-'));
  file = join(folder, 'page.html');
  writeFileSync(file, 'first');
  changed = [];
  pickedFiles = openPickedFiles({
    maxTextBytes: 1000,
    onChanged(id) {
      changed.push(id);
      next();
    },
  });
});
afterEach(async () => {
  clearInterval(alive);
  await pickedFiles[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function choose(path: string) {
  const chosen = await pickedFiles.add(path);
  assert.ok(chosen !== undefined);
  return chosen;
}

/** Resolves when the picked files report the change that `act` causes. */
function changeCausedBy(act: () => void): Promise<void> {
  const change = new Promise<void>((resolve) => (next = resolve));
  act();
  return change;
}

describe('A picked file', () => {
  test('is shown by its name, without its path', async () => {
    const chosen = await choose(file);
    assert.deepEqual({ ...chosen, id: '' }, { id: '', name: 'page.html', kind: 'file' });
    assert.equal(pickedFiles.find(chosen.id).path, file);
  });

  test('is read with its current content', async () => {
    const { id } = await choose(file);
    writeFileSync(file, 'sécond');
    assert.equal(await pickedFiles.read(id), 'sécond');
  });

  test('is reported after every save, whether it is overwritten or replaced', async () => {
    const { id } = await choose(file);
    await pickedFiles.watch(id);
    await changeCausedBy(() => {
      writeFileSync(file, 'in place');
    });
    for (const text of ['second', 'third']) {
      await changeCausedBy(() => {
        writeFileSync(join(folder, '.page.html.tmp'), text);
        renameSync(join(folder, '.page.html.tmp'), file);
      });
      assert.equal(await pickedFiles.read(id), text);
    }
    assert.deepEqual(new Set(changed), new Set([id]));
  });

  test('is not reported when another file is saved or the watch has ended', async () => {
    const unpicked = join(folder, 'other.html');
    writeFileSync(unpicked, '');
    const mine = await choose(file);
    const theirs = await choose(unpicked);
    await pickedFiles.watch(mine.id);
    await pickedFiles.watch(theirs.id);
    await changeCausedBy(() => {
      writeFileSync(unpicked, 'saved');
    });
    await pickedFiles.unwatch(mine.id);
    await changeCausedBy(() => {
      writeFileSync(file, 'saved');
      writeFileSync(unpicked, 'saved again');
    });
    assert.deepEqual(new Set(changed), new Set([theirs.id]));
  });

  test('is refused when it is missing, too long or unknown', async () => {
    const { id } = await choose(file);
    writeFileSync(file, 'x'.repeat(1001));
    await assert.rejects(pickedFiles.read(id), /page\.html is larger than/);
    rmSync(file);
    await assert.rejects(pickedFiles.read(id), /page\.html no longer exists\. Choose it again/);
    await assert.rejects(async () => pickedFiles.read(file), /no longer known/);
    assert.equal(await pickedFiles.add(join(folder, 'missing')), undefined);
  });
});

test('a picked folder is reported when a file in it is saved, except in node_modules', async () => {
  const site = join(folder, 'site');
  mkdirSync(join(site, 'assets'), { recursive: true });
  mkdirSync(join(site, 'node_modules'));
  const pickedFolder = await choose(site);
  const pickedFile = await choose(file);
  await pickedFiles.watch(pickedFile.id);
  await pickedFiles.watch(pickedFolder.id);
  writeFileSync(join(site, 'node_modules', 'a.js'), '');
  await changeCausedBy(() => {
    writeFileSync(file, 'saved later');
  });
  assert.deepEqual(new Set(changed), new Set([pickedFile.id]));
  changed = [];
  await changeCausedBy(() => {
    writeFileSync(join(site, 'assets', 'new.css'), '');
  });
  assert.deepEqual([new Set(changed), pickedFolder.kind], [new Set([pickedFolder.id]), 'folder']);
});
