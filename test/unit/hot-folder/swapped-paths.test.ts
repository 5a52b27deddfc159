/** Attackers who can write to a hot folder, or to its parent, swap files and folders for links while the service uses them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { openFile, openFolder } from '../../../main/files/open-inside.ts';
import { finishConvertedSource } from '../../../main/hot-folder/finished-sources.ts';
import { openSubFolder, signatureOf, writeDurably } from '../../../main/hot-folder/folder-file.ts';
import { readFolderSettings } from '../../../main/hot-folder/folder-settings.ts';
import { receiveSource } from '../../../main/hot-folder/receive-source.ts';
import { scanFolder } from '../../../main/hot-folder/scan-folder.ts';
import { sourceOf } from '../../../main/hot-folder/source-names.ts';
import { folderFiles } from '../../../main/input/folder-files.ts';
import { siblingFiles } from '../../../main/input/prepare-source.ts';
import { bodyText } from '../../support/archives/stored-file.ts';
import { temporaryFolder } from '../../support/service/service.ts';

const limits = { jobTimeoutMs: 60_000 };
const secret = 'the secret of another user';
const attempts = 100;
const swapping = `
  const { cpSync, existsSync, renameSync } = require('node:fs');
  const { path, places, template, spare, running } = require('node:worker_threads').workerData;
  let moved = 0;
  const move = (from, to) => {
    try {
      renameSync(from, to);
    } catch {
      try {
        renameSync(path, spare + '/' + (moved += 1));
      } catch {}
    }
  };
  const state = new Int32Array(running);
  while (Atomics.load(state, 0) === 0)
    for (const place of places) {
      move(place, path);
      // Now and then long enough to be read.
      if (Math.random() < 0.05) Atomics.wait(state, 0, 0, 20 * Math.random());
      move(path, place);
      if (!existsSync(places[0])) cpSync(template, places[0], { recursive: true });
    }`;
const skip = process.platform === 'win32' && 'Wine creates no links';

describe('A path that an attacker swaps in a folder', { skip }, () => {
  let top = '';
  beforeEach(() => {
    top = realpathSync(temporaryFolder());
    for (const path of ['in/page_files/deep', 'private/deep', 'job'])
      mkdirSync(at(path), { recursive: true });
    writeFileSync(at('in/page.html'), 'page');
    for (const path of ['page_files/a.css', 'page_files/deep/a.css']) writeFileSync(at('in', path), 'own');
    for (const path of ['a.css', 'deep/a.css', 'page.html', 'page.pdf'])
      writeFileSync(at('private', path), secret);
    writeFileSync(at('private/platen.json'), `{"tag": "${secret}"}`);
  });
  afterEach(() => {
    rmSync(top, { recursive: true });
  });
  const at = (...names: readonly string[]) => join(top, ...names);

  /**
   * Swaps the path, again and again, for each of the things at `others` and back. What the service puts at the path meanwhile is
   * moved away, and what it removes is made again. Runs until disposal.
   */
  function swap(path: string, others: readonly string[]): AsyncDisposable {
    const own = at('own');
    const template = at('template');
    const spare = at('spare');
    cpSync(path, template, { recursive: true });
    renameSync(path, own);
    mkdirSync(spare);
    const running = new SharedArrayBuffer(4);
    const worker = new Worker(swapping, {
      eval: true,
      workerData: { path, places: [own, ...others], template, spare, running },
    });
    const ended = new Promise<void>((resolve, reject) => {
      worker.once('error', reject).once('exit', () => {
        resolve();
      });
    });
    return {
      async [Symbol.asyncDispose]() {
        Atomics.store(new Int32Array(running), 0, 1);
        await ended;
      },
    };
  }

  function linkTo(target: string): string {
    const path = at(`link-to-${basename(target)}`);
    symlinkSync(target, path);
    return path;
  }

  function pipe(): string {
    execFileSync('mkfifo', [at('pipe')]);
    return at('pipe');
  }

  /** Converts nothing, but receives the page with its assets. Returns the content of its files, or undefined if it was refused. */
  async function receive(folder: string, settingsText: string): Promise<string | undefined> {
    const source = sourceOf('page.html') ?? assert.fail();
    const signature = signatureOf(
      statSync(at('in/page.html'), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 },
    );
    try {
      const settings = await readFolderSettings(folder, settingsText, limits);
      const request = { folder, folderName: 'in', source, signature, settings, maxUpload: 1e6 };
      const { form, problem } = await receiveSource(request, at('job'));
      if (problem !== undefined) return undefined;
      return form.files.map(({ upload }) => readFileSync(upload.path, 'latin1')).join();
    } catch {
      return undefined;
    } finally {
      for (const name of readdirSync(at('job'))) rmSync(at('job', name));
    }
  }

  /** Runs the action until it has had its way often enough. It returns what was read, or undefined if nothing could be read. */
  async function neverReadsSecret(read: () => Promise<string | undefined>): Promise<void> {
    let successes = 0;
    for (let attempt = 0; attempt < attempts || (successes === 0 && attempt < 100 * attempts); attempt += 1) {
      const text = await read();
      if (text === undefined) continue;
      assert.ok(!text.includes(secret), `attempt ${attempt} read the file of another user`);
      successes += 1;
    }
    assert.ok(successes > 0, 'nothing was ever read');
  }

  for (const path of ['page_files/a.css', 'page_files/deep', 'page_files'])
    test(`is never packed with a page: ${path}`, async () => {
      const inPrivate = path.endsWith('a.css')
        ? 'private/a.css'
        : path.endsWith('deep')
          ? 'private/deep'
          : 'private';
      await using _ = swap(at('in', path), [linkTo(at(inPrivate)), pipe()]);
      await neverReadsSecret(() => receive(at('in'), '{"assets":"own"}'));
    });

  test('is never the file of an option', async () => {
    await using _ = swap(at('in/page_files'), [linkTo(at('private'))]);
    await neverReadsSecret(() => receive(at('in'), '{"page_background":"page_files/a.css"}'));
  });

  test('is never read instead of a hot folder whose parent the attacker owns', async () => {
    await using _ = swap(at('in'), [linkTo(at('private'))]);
    await neverReadsSecret(() => receive(at('in'), '{"assets":"all"}'));
  });

  test('is never read as platen.json, neither as settings nor into the report of its problems', async () => {
    writeFileSync(at('in/platen.json'), '{"tag": "own"}');
    writeFileSync(at('private/key.pem'), secret);
    const devices = linkTo('/dev/zero');
    await using _ = swap(at('in/platen.json'), [
      linkTo(at('private/platen.json')),
      linkTo(at('private/key.pem')),
      devices,
      pipe(),
    ]);
    await neverReadsSecret(async () => {
      const snapshot = await scanFolder(at('in'), limits).catch((problem: unknown) => String(problem));
      const report = at('in/platen.json.error.txt');
      return JSON.stringify(snapshot) + (existsSync(report) ? readFileSync(report, 'utf8') : '');
    });
  });

  test('is never written to: outputs stay in the folder', async () => {
    mkdirSync(at('in/out'));
    await using _ = swap(at('in/out'), [linkTo(at('private/deep'))]);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      try {
        await using outputs = await openSubFolder(at('in'), 'out');
        await writeDurably(join(outputs.path, `${attempt}.pdf`), 'x', at('in/page.html'));
      } catch {
        // The link was there at that moment.
      }
    }
    assert.deepEqual(readdirSync(at('private/deep')), ['a.css']);
  });

  test('is never emptied, when the files of a converted page are deleted', async () => {
    const settings = await readFolderSettings(at('in'), '{"assets":"own","after":"delete"}', limits);
    const source = sourceOf('page.html') ?? assert.fail();
    await using _ = swap(at('in/page_files'), [linkTo(at('private'))]);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      writeFileSync(at('in/page.html'), 'page');
      const signature = signatureOf(statSync(at('in/page.html')));
      await finishConvertedSource({ folder: at('in'), source, signature, settings }).catch(() => {});
    }
    assert.deepEqual(readdirSync(at('private')).sort(), [
      'a.css',
      'deep',
      'page.html',
      'page.pdf',
      'platen.json',
    ]);
  });

  test('is never served as a sibling file of a page, or as a file of its archive', async () => {
    await using _ = swap(at('in/page_files/deep'), [linkTo(at('private/deep'))]);
    const sibling = siblingFiles(at('in'));
    const archived = folderFiles({ root: at('in'), entries: ['page_files/deep/a.css'] });
    for (const files of [sibling, archived])
      await neverReadsSecret(async () => {
        const file = await files('page_files/deep/a.css');
        return file && (await bodyText(file));
      });
  });

  for (const platform of ['linux', 'win32'] as const)
    test(`is refused with one code, whatever it is, on ${platform}`, async () => {
      execFileSync('mkfifo', [at('in/pipe')]);
      symlinkSync('/dev/zero', at('in/device'));
      symlinkSync(at('private'), at('in/link'));
      for (const path of ['pipe', 'device', 'link/a.css', 'page_files', '../private/a.css'])
        await assert.rejects(openFile(at('in'), path, { platform }), { code: 'ELOOP' }, path);
      const { file } = await openFile(at('in'), 'page_files/a.css', { platform });
      assert.equal(await file.readFile('utf8'), 'own');
      await file.close();
    });

  test('is not the folder that was opened before', async () => {
    await using opened = await openFolder(at('in'), 'page_files');
    renameSync(at('in/page_files'), at('in/moved'));
    symlinkSync(at('private'), at('in/page_files'));
    if (process.platform === 'linux') assert.equal(readFileSync(join(opened.path, 'a.css'), 'utf8'), 'own');
    await assert.rejects(openFolder(at('in'), 'page_files'));
  });
});
