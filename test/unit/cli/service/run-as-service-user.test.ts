import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { assertWritable, assertReadable } from '../../../../main/cli/service/run-as-service-user.ts';

/**
 * Returns a user of this machine with a supplementary group, or undefined if there is none or this process cannot run programs as
 * that user.
 */
function memberOfAnother() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/setpriv')) return undefined;
  const groups = readFileSync('/etc/group', 'utf8').split('\n');
  const [, , group, members = ''] = groups.map((line) => line.split(':')).find((parts) => parts[3]) ?? [];
  const [name] = members.split(',');
  if (group === undefined || name === undefined || name === '') return undefined;
  const number = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { name, group: Number(group), identity: { uid: number('-u'), gid: number('-g') } };
}

const member = memberOfAnother();

describe('Permissions of the service user', () => {
  test('are those of this process for a service without a separate user', async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'platen-as-'));
    t.after(() => {
      rmSync(root, { recursive: true });
    });
    await assertWritable(root, 'alice', undefined);
    assert.deepEqual(readdirSync(root), [], 'the check leaves no file');
    await assert.rejects(
      assertWritable(join(root, 'gone'), 'alice', undefined),
      /by the user alice: it does not exist/,
    );
  });

  test(
    'include those of supplementary groups',
    { skip: member === undefined && 'needs root, setpriv and a user in a second group' },
    async (t) => {
      assert.ok(member);
      const root = mkdtempSync(join(tmpdir(), 'platen-as-'));
      t.after(() => {
        rmSync(root, { recursive: true });
      });
      chmodSync(root, 0o755);
      const file = join(root, 'file');
      const folder = join(root, 'folder');
      writeFileSync(file, '');
      mkdirSync(folder);
      const { name, group, identity } = member;
      await assert.rejects(assertWritable(folder, name, identity), /folder cannot be written by the user/);
      for (const path of [file, folder]) {
        chownSync(path, 0, group);
        chmodSync(path, 0o770);
      }
      await assertReadable([file], name, identity);
      await assertWritable(folder, name, identity);
      await assert.rejects(assertWritable(join(root, 'gone'), name, identity), /it does not exist/);
    },
  );
});
