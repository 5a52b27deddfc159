import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { runKept } from '../../../main/launch/kept-code.ts';

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
  const says = (word: string) => {
    writeFileSync(file, `exports.said = ((word) => word + __dirname)('${word}');`);
  };
  const untilKept = async (before = '') => {
    while (!codeFile().endsWith('.code') || readFileSync(codeFile(), 'latin1') === before) await pause(5);
  };

  test('runs as the last time, and as it is now when it was changed to another of the same length', async () => {
    says('first');
    assert.deepEqual(runKept(file, 0), { said: `first${folder}` });
    await untilKept();
    const kept = readFileSync(codeFile(), 'latin1');
    assert.deepEqual(runKept(file, 0), { said: `first${folder}` });
    says('other');
    assert.deepEqual(runKept(file, 0), { said: `other${folder}` });
    await untilKept(kept);
    assert.deepEqual(runKept(file, 0), { said: `other${folder}` });
  });

  test('imports packages as the last time', async () => {
    writeFileSync(file, `exports.imported = importModule('tinypool');`);
    const before = readFileSync(codeFile(), 'latin1');
    for (const run of ['compiled now', 'compiled already']) {
      const { imported } = runKept(file, 0) as { imported: Promise<object> };
      assert.ok('Tinypool' in (await imported), run);
      await untilKept(before);
    }
    says('other');
    runKept(file, 0);
  });

  test('runs when what was kept of it is damaged', () => {
    const kept = readFileSync(codeFile());
    kept.fill(7, kept.length / 2);
    writeFileSync(codeFile(), kept);
    assert.deepEqual(runKept(file), { said: `other${folder}` });
  });

  test('goes on where nothing can be kept beside it, as in an archive', async () => {
    const gone = join(folder, 'archive');
    mkdirSync(gone);
    writeFileSync(join(gone, 'program.cjs'), 'exports.said = 1;');
    assert.deepEqual(runKept(join(gone, 'program.cjs'), 10), { said: 1 });
    rmSync(gone, { recursive: true });
    writeFileSync(gone, '');
    // What its timer throws fails this test.
    await pause(50);
  });
});
