/** The folder of one job. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Failure } from '../../main/failure/failure.ts';
import { openJobFolder } from '../../main/conversion/job-folder.ts';

describe('The folder of a job', () => {
  const parent = mkdtempSync(join(tmpdir(), 'platen-job-folder-'));
  after(() => {
    rmSync(parent, { recursive: true });
  });

  test('is created when it is first needed, and deleted with its files at the end', async () => {
    const path = join(parent, 'job');
    {
      await using folder = openJobFolder(path);
      assert.ok(!existsSync(path));
      assert.equal(folder.path(), path);
      if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o700);
      mkdirSync(join(folder.path(), 'archive'));
      writeFileSync(join(folder.path(), 'archive', 'index.html'), '<p>');
    }
    assert.ok(!existsSync(path));
  });

  test('is never created if the job needs none', async () => {
    const path = join(parent, 'none');
    const folder = openJobFolder(path);
    await folder[Symbol.asyncDispose]();
    assert.ok(!existsSync(path));
    folder.path();
    assert.ok(!existsSync(path), 'nor after the end of the job');
  });

  test('that cannot be created is reported as unavailable', async () => {
    writeFileSync(join(parent, 'file'), '');
    await using folder = openJobFolder(join(parent, 'file', 'job'));
    assert.throws(
      () => folder.path(),
      (problem) => problem instanceof Failure && problem.kind === 'unavailable',
    );
  });
});
