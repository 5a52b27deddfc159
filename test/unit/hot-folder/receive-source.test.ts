import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CallerDisconnected } from '../../../main/conversion/job-log.ts';
import { readFolderSettings } from '../../../main/hot-folder/folder-settings.ts';
import { receiveSource } from '../../../main/hot-folder/receive-source.ts';
import { signatureOf } from '../../../main/hot-folder/folder-file.ts';
import { sourceOf } from '../../../main/hot-folder/source-names.ts';
import { temporaryFolder } from '../../support/service/service.ts';

describe('A source of a hot folder', () => {
  let folder = '';
  let elsewhere = '';
  let to = '';
  beforeEach(() => {
    [folder, elsewhere, to] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    mkdirSync(join(folder, 'own'));
    writeFileSync(join(folder, 'own', 'paper.pdf'), 'paper');
    writeFileSync(join(folder, 'a.html'), 'page');
  });
  afterEach(() => {
    for (const path of [folder, elsewhere, to]) rmSync(path, { recursive: true });
  });

  /** Returns what a conversion gets: the source, and the settings from a platen.json that was read earlier. */
  const prepared = async (name = 'a.html') => {
    const text = '{"page_background":"own/paper.pdf"}';
    const settings = await readFolderSettings(folder, text, { jobTimeoutMs: 60_000 });
    const source = sourceOf(name) ?? assert.fail('no source');
    const signature = signatureOf(statSync(join(folder, name)));
    return { folder, folderName: 'in', source, signature, settings, maxUpload: 1000 };
  };

  test('has a form with the files that platen.json names', async () => {
    const { form } = await receiveSource(await prepared(), to);
    const texts = form.files.map(({ name, upload }) => [name, readFileSync(upload.path, 'utf8')]);
    assert.deepEqual(texts, [
      ['file', 'page'],
      ['page_background', 'paper'],
    ]);
  });

  test('is cancelled without a failure if a link has replaced the folder of a file that platen.json names', async () => {
    const source = await prepared();
    writeFileSync(join(elsewhere, 'paper.pdf'), 'secret');
    renameSync(join(folder, 'own'), join(folder, 'before'));
    symlinkSync(elsewhere, join(folder, 'own'));
    await assert.rejects(receiveSource(source, to), CallerDisconnected);
  });

  test('is cancelled without a failure if a file that platen.json names is missing', async () => {
    const source = await prepared();
    rmSync(join(folder, 'own'), { recursive: true });
    await assert.rejects(receiveSource(source, to), CallerDisconnected);
  });

  test('fails with the name of the option whose file is too large', async () => {
    const source = await prepared();
    truncateSync(join(folder, 'own', 'paper.pdf'), 1001);
    const { problem } = await receiveSource(source, to);
    assert.match(problem?.message ?? '', /^The file of page_background is larger than /);
  });

  const skip = process.getuid?.() !== 0 && 'only root can become another user';
  test('fails with the reason if it, or a file that platen.json names, is unreadable', { skip }, async () => {
    const source = await prepared();
    for (const open of [folder, to]) chmodSync(open, 0o777);
    chmodSync(join(folder, 'a.html'), 0o600);
    const { problem } = await asNobody(() => receiveSource(source, to));
    assert.match(problem?.message ?? '', /^The service cannot read the file: permission denied\. /);
    chmodSync(join(folder, 'own', 'paper.pdf'), 0o600);
    await assert.rejects(
      asNobody(() => prepared()),
      /page_background names 'own\/paper\.pdf', which the service cannot read\./,
    );
  });

  test('keeps the extension in its upload name even if its name is long', async () => {
    const name = `${'x'.repeat(240)}.html`;
    writeFileSync(join(folder, name), 'page');
    const { form } = await receiveSource(await prepared(name), to);
    assert.match(form.files[0]?.upload.name ?? '', /\.html$/);
  });
});

async function asNobody<T>(act: () => Promise<T>): Promise<T> {
  process.seteuid?.(65_534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
