import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../../../main/accounts/store/sqlite/sqlite-database.ts';
import { temporaryDatabase } from '../../../support/accounts/accounts.ts';
import { incrementSpent, transactionCount } from '../spending.ts';
import { temporaryFolder } from '../../../support/service/service.ts';

const program = fileURLToPath(import.meta.resolve('./database-program.ts'));

test('several processes can create the same database simultaneously', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'accounts.sqlite');
  const output = await Promise.all(
    Array.from({ length: 4 }, () => runInChildProcess('count', path).allOutput),
  );
  assert.deepEqual(output, Array<string>(4).fill('0\n'));
  rmSync(folder, { recursive: true });
});

test('a transaction that reads and then writes waits for another process and loses no update', async () => {
  await using temporary = await temporaryDatabase();
  await temporary.database.insertInto('accounts').values(ann).execute();
  const otherProcess = runInChildProcess('spend', temporary.path);
  await otherProcess.begun;
  await incrementSpent(temporary.database);
  assert.equal(await otherProcess.allOutput, 'begun\n');
  const { spent } = await temporary.database.selectFrom('accounts').select('spent').executeTakeFirstOrThrow();
  assert.equal(spent, 2 * transactionCount);
});

test('a destroyed database has closed its files, so that they can be replaced on Windows', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'accounts.sqlite');
  const database = await openDatabase(path);
  await database.insertInto('accounts').values(ann).execute();
  await database.selectFrom('accounts').selectAll().execute();
  await database.destroy();
  assert.deepEqual(readdirSync(folder), ['accounts.sqlite']);
  renameSync(path, `${path}.moved`);
  if (process.platform === 'linux') {
    const open = readdirSync('/proc/self/fd').map((name) => linkTarget(`/proc/self/fd/${name}`));
    assert.deepEqual(
      open.filter((target) => target.includes(folder)),
      [],
    );
  }
  rmSync(folder, { recursive: true });
});

/** Returns the target of a link; empty if the link has gone. */
function linkTarget(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

test('a file that is not a database is named in the error', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'accounts.sqlite');
  writeFileSync(path, 'a letter to somebody'.repeat(100));
  await assert.rejects(openDatabase(path), (problem) => {
    assert.ok(problem instanceof Error);
    assert.match(problem.message, /cannot open the accounts database .*accounts\.sqlite: .*not a database/);
    return true;
  });
  rmSync(folder, { recursive: true });
});

const ann = {
  name: 'ann',
  operator: 0,
  demo: 0,
  granted: null,
  debug_log: 0,
  refilled_at: 0,
  created_at: 0,
};

function runInChildProcess(action: 'count' | 'spend', path: string) {
  const child = spawn(process.execPath, [program, action, path]);
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  return {
    begun: new Promise((resolve) => child.stdout.once('data', resolve)),
    allOutput: new Promise<string>((resolve) => {
      child.once('close', () => {
        resolve(output);
      });
    }),
  };
}
