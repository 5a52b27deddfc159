import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const nobody = 65_534;
const skip = process.getuid?.() !== 0 && 'only root can become another user';

const folder = mkdtempSync(join(tmpdir(), 'platen-owner-'));
after(() => {
  rmSync(folder, { recursive: true });
});

/** Writes a file to the folder in a child process that acts as the owner of the folder. Returns the owner of the file. */
function writeInChildProcess(name: string): { readonly uid: number; readonly gid: number } {
  const module = JSON.stringify(join(import.meta.dirname, '../../../main/launch/switch-to-owner.ts'));
  const path = JSON.stringify(join(folder, name));
  const program = `import { switchToOwnerOf } from ${module}; import { writeFileSync } from 'node:fs';
    switchToOwnerOf(${JSON.stringify(folder)}); writeFileSync(${path}, '');`;
  execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
  return statSync(join(folder, name));
}

test("files that root creates in a user's data folder belong to that user", { skip }, () => {
  assert.equal(writeInChildProcess('of-root').uid, 0);
  chownSync(folder, nobody, nobody);
  const { uid, gid } = writeInChildProcess('of-nobody');
  assert.deepEqual([uid, gid], [nobody, nobody]);
});
