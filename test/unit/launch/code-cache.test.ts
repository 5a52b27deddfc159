import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, mock, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { runWithCodeCache } from '../../../main/launch/code-cache.ts';

describe('a compiled program', () => {
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
    file = join(folder, 'program.cjs');
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const codeFile = () => join(folder, readdirSync(folder).find((name) => name.endsWith('.code')) ?? '');
  const writeProgram = (word: string) => {
    writeFileSync(file, `exports.said = ((word) => word + __dirname)('${word}');`);
  };
  const untilCached = async (before = '') => {
    while (!codeFile().endsWith('.code') || readFileSync(codeFile(), 'latin1') === before) await pause(5);
  };

  test('runs from its cache, and runs its new version after a change, even if the length stays the same', async () => {
    writeProgram('first');
    assert.deepEqual(runWithCodeCache(file, 0), { said: `first${folder}` });
    await untilCached();
    const cached = readFileSync(codeFile(), 'latin1');
    assert.deepEqual(runWithCodeCache(file, 0), { said: `first${folder}` });
    writeProgram('other');
    assert.deepEqual(runWithCodeCache(file, 0), { said: `other${folder}` });
    await untilCached(cached);
    assert.deepEqual(runWithCodeCache(file, 0), { said: `other${folder}` });
  });

  test('can import packages, both when it is compiled and when it runs from the cache', async () => {
    writeFileSync(file, `exports.imported = importModule('tinypool');`);
    const before = readFileSync(codeFile(), 'latin1');
    for (const run of ['compiled now', 'compiled already']) {
      const { imported } = runWithCodeCache(file, 0) as { imported: Promise<object> };
      assert.ok('Tinypool' in (await imported), run);
      await untilCached(before);
    }
    writeProgram('other');
    runWithCodeCache(file, 0);
  });

  test('runs if its code cache is damaged', () => {
    const cached = readFileSync(codeFile());
    cached.fill(7, Math.floor(cached.length / 2));
    writeFileSync(codeFile(), cached);
    assert.deepEqual(runWithCodeCache(file), { said: `other${folder}` });
  });

  test('is cached once by short-lived processes, and once again by a long-running process', async () => {
    const programFolder = join(folder, 'own');
    mkdirSync(programFolder);
    const program = join(programFolder, 'program.cjs');
    // In the child process, which has an argument, the program removes this global, as the template worker does.
    const end = 'globalThis.process.argv[2] && delete globalThis.process;';
    writeFileSync(program, `exports.said = (() => 1)(); ${end}`);
    const runInChildProcess = () => {
      const runner = fileURLToPath(import.meta.resolve('./code-cache-program.ts'));
      execFileSync(process.execPath, [runner, program], { stdio: 'inherit' });
    };
    const readCache = () => {
      const [name = 'nothing', ...others] = readdirSync(programFolder).filter(
        (file) => file !== 'program.cjs',
      );
      assert.deepEqual(others, []);
      return statSync(join(programFolder, name)).ino;
    };
    runInChildProcess();
    const first = readCache();
    runInChildProcess();
    assert.equal(readCache(), first);
    assert.deepEqual(runWithCodeCache(program, 0), { said: 1 });
    while (readCache() === first) await pause(5);
    const original = readCache();
    assert.deepEqual(runWithCodeCache(program, 0), { said: 1 });
    await pause(20);
    assert.equal(readCache(), original);
  });

  test('runs where no cache can be written, such as in an asar archive', async () => {
    // Creating the cache takes time, so it must not be attempted.
    const creation = mock.method(Script.prototype, 'createCachedData');
    const archive = join(folder, 'archive');
    mkdirSync(archive);
    writeFileSync(join(archive, 'program.cjs'), 'exports.said = 1;');
    assert.deepEqual(runWithCodeCache(join(archive, 'program.cjs'), 10), { said: 1 });
    rmSync(archive, { recursive: true });
    // An error in the timer would fail this test.
    await pause(50);
    assert.equal(creation.mock.callCount(), 0);
  });
});
