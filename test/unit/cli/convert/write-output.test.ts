import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  makeParentFolder,
  openOutputFile,
  OutputProblem,
} from '../../../../main/cli/convert/write-output.ts';

describe('The path of an output', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-place-'));
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('holds the older output until the new one is complete; no temporary file remains', async () => {
    const output = join(folder, 'one', 'deep', 'a.pdf');
    mkdirSync(join(folder, 'one', 'deep'), { recursive: true });
    writeFileSync(output, 'old');
    {
      await using outputFile = await openOutputFile(output, folder);
      writeFileSync(outputFile.path, 'new');
      assert.equal(readFileSync(output, 'utf8'), 'old');
      await outputFile.commit();
    }
    assert.equal(readFileSync(output, 'utf8'), 'new');
    assert.deepEqual(readdirSync(join(folder, 'one', 'deep')), ['a.pdf']);
  });

  test('has no file after a failed conversion; no temporary file remains', async () => {
    const output = join(folder, 'two', 'a.pdf');
    {
      await using outputFile = await openOutputFile(output, folder);
      writeFileSync(outputFile.path, 'half');
    }
    assert.deepEqual(readdirSync(join(folder, 'two')), []);
  });

  const skip = process.platform === 'win32' && 'Windows allows only administrators to create links';
  test('can be a link, which stays a link', { skip }, async () => {
    const target = join(folder, 'target.pdf');
    const link = join(folder, 'link.pdf');
    writeFileSync(target, 'old');
    symlinkSync(target, link);
    await using outputFile = await openOutputFile(link, folder);
    writeFileSync(outputFile.path, 'new');
    await outputFile.commit();
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.equal(readFileSync(target, 'utf8'), 'new');
  });

  test('keeps the permissions of the older output', { skip: process.platform === 'win32' }, async () => {
    const output = join(folder, 'closed.pdf');
    writeFileSync(output, 'old', { mode: 0o600 });
    await using outputFile = await openOutputFile(output, folder);
    assert.equal(statSync(outputFile.path).mode & 0o777, 0o600);
    await outputFile.commit();
    assert.equal(statSync(output).mode & 0o777, 0o600);
  });

  test('is refused if its folder cannot be created', { skip: process.platform !== 'linux' }, async () => {
    await assert.rejects(openOutputFile('/proc/platen/a.pdf', folder), /its folder cannot be created/);
    assert.throws(() => {
      makeParentFolder('/proc/platen/log.html');
    }, OutputProblem);
  });

  test('may be a device', { skip: process.platform === 'win32' }, async () => {
    await using outputFile = await openOutputFile('/dev/null', folder);
    writeFileSync(outputFile.path, 'new');
    await outputFile.commit();
    assert.ok(lstatSync('/dev/null').isCharacterDevice());
  });

  test('is reported with the reason if it cannot be written', async () => {
    writeFileSync(join(folder, 'target.pdf'), 'old');
    const output = join(folder, 'target.pdf', 'a.pdf');
    await assert.rejects(openOutputFile(output, folder), (problem: unknown) => {
      assert.ok(problem instanceof OutputProblem);
      assert.match(problem.message, /target\.pdf.a\.pdf cannot be written: a part of its path is a file/);
      return true;
    });
    await assert.rejects(openOutputFile(folder, folder), /is a folder/);
  });
});
