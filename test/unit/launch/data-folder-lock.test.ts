import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dataFolderPid, lockDataFolder } from '../../../main/launch/data-folder-lock.ts';

let root = '';
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'platen-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(root, { recursive: true });
});

const program = fileURLToPath(import.meta.resolve('./lock-folder-program.ts'));

/** Starts another process that tries to lock the folder. `said` is the line that the process prints. */
async function lockInOtherProcess(
  folder: string,
  { uid, spawnsChild = false }: { uid?: number; spawnsChild?: boolean } = {},
) {
  const words = [program, folder, ...(spawnsChild ? ['with a child'] : [])];
  const child = spawn(process.execPath, words, {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid }),
  });
  children.push(child);
  let output = '';
  for await (const bytes of child.stdout) {
    output += String(bytes);
    if (output.includes('\n')) break;
  }
  return { child, pid: child.pid ?? 0, said: output.trim() };
}

const pidIn = (folder: string) => readFileSync(join(folder, 'platen.pid'), 'utf8');

const lockFiles = ['platen.lock', 'platen.pid'];

describe('a data folder', () => {
  test('is created if missing, and contains the process id only while it is locked', () => {
    const folder = join(root, 'a', 'b');
    const lock = lockDataFolder(folder);
    assert.deepEqual([readdirSync(folder), pidIn(folder)], [lockFiles, `${process.pid}\n`]);
    lock[Symbol.dispose]();
    assert.deepEqual(readdirSync(folder), ['platen.lock']);
  });

  test('that another process uses is refused with the id of that process, and stays locked', async () => {
    const { pid, said } = await lockInOtherProcess(root);
    assert.equal(said, 'locked');
    assert.throws(() => lockDataFolder(root), {
      message: `the data folder ${root} is already in use by process ${pid}.`,
    });
    assert.deepEqual([readdirSync(root), pidIn(root)], [lockFiles, `${pid}\n`]);
  });

  test('is locked by one of several simultaneous starts; the errors of the others name its process id', async () => {
    const all = await Promise.all([
      lockInOtherProcess(root),
      lockInOtherProcess(root),
      lockInOtherProcess(root),
    ]);
    const winners = all.filter(({ said }) => said === 'locked');
    assert.equal(winners.length, 1, all.map(({ said }) => said).join('\n'));
    for (const { said } of all)
      assert.match(said, new RegExp(`^locked$|in use by process ${winners[0]?.pid ?? 0}\\.$`));
  });

  test('can be locked again after the process that held the lock was killed', async () => {
    const { child, said } = await lockInOtherProcess(root);
    assert.equal(said, 'locked');
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    using _lock = lockDataFolder(root);
    assert.deepEqual([readdirSync(root), pidIn(root)], [lockFiles, `${process.pid}\n`]);
  });

  // After a power loss, the id in the file may belong to any other program.
  test('is free when platen.pid names a process that does not hold the lock', async () => {
    const { pid } = await lockInOtherProcess(join(root, 'elsewhere'));
    writeFileSync(join(root, 'platen.pid'), `${pid}\n`);
    assert.equal(dataFolderPid(root), undefined);
    using _lock = lockDataFolder(root);
    assert.equal(pidIn(root), `${process.pid}\n`);
  });

  test('stays locked when other processes check the lock or read the lock file', async () => {
    const { pid } = await lockInOtherProcess(root);
    for (let round = 0; round < 3; round += 1) assert.equal(dataFolderPid(root), pid);
    readFileSync(join(root, 'platen.lock'));
    assert.throws(() => lockDataFolder(root), /already in use/);
  });

  test(
    'is not kept locked by a child of the killed process that held the lock',
    { skip: process.platform === 'win32' },
    async () => {
      const { child, said } = await lockInOtherProcess(root, { spawnsChild: true });
      assert.equal(said, 'locked');
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      lockDataFolder(root)[Symbol.dispose]();
    },
  );

  test('is free when platen.pid contains no process id', () => {
    for (const text of ['', 'x', '0', '-1', '1.5', '99999999999999', '\0']) {
      writeFileSync(join(root, 'platen.pid'), text);
      lockDataFolder(root)[Symbol.dispose]();
      assert.ok(!existsSync(join(root, 'platen.pid')), JSON.stringify(text));
    }
  });

  test('keeps a platen.pid that another process has overwritten when the lock is released', () => {
    const lock = lockDataFolder(root);
    writeFileSync(join(root, 'platen.pid'), '1\n');
    lock[Symbol.dispose]();
    assert.equal(pidIn(root), '1\n');
  });
});

describe('an unusable data folder is refused with its path and the reason', () => {
  const refuses = (folder: string, reason: RegExp) => {
    assert.throws(
      () => lockDataFolder(folder),
      (problem) => {
        assert.ok(problem instanceof Error);
        assert.ok(problem.message.startsWith(`the data folder ${folder} cannot be used: `), problem.message);
        assert.match(problem.message, reason);
        return true;
      },
    );
  };

  test('when it is a file', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    refuses(file, /it is a file, not a folder/);
  });

  test('when a part of its path is a file', () => {
    writeFileSync(join(root, 'file'), '');
    refuses(join(root, 'file', 'sub'), /a part of its path is a file/);
  });

  test('when it cannot be created', { skip: process.platform !== 'linux' }, () => {
    refuses('/proc/platen/data', /./);
  });

  test('when its name is too long', () => {
    refuses(join(root, 'a'.repeat(300)), /./);
  });

  test('when it cannot be written', { skip: process.platform === 'win32' }, async () => {
    const folder = join(root, 'closed');
    mkdirSync(folder);
    chmodSync(root, 0o755);
    chmodSync(folder, 0o555);
    const { said } = await lockInOtherProcess(folder, process.getuid?.() === 0 ? { uid: 65_534 } : {});
    assert.match(said, /^the data folder .*closed cannot be used: .*written by this user/);
  });

  const notWindows = process.platform !== 'win32' && 'elsewhere, the mode of the folder says so';
  const wine =
    process.env.WINEPREFIX !== undefined && 'Wine leaves the check to Linux, which lets root write';
  test('when its lock file cannot be written on Windows', { skip: notWindows || wine }, () => {
    writeFileSync(join(root, 'platen.lock'), '');
    chmodSync(join(root, 'platen.lock'), 0o444);
    refuses(root, /cannot be used: it cannot be .*written by this user/);
    chmodSync(join(root, 'platen.lock'), 0o666);
  });
});

test(
  'a new data folder is private (mode 700), and an existing one keeps its mode',
  { skip: process.platform === 'win32' },
  () => {
    const newFolder = join(root, 'made');
    using _made = lockDataFolder(newFolder);
    assert.equal(statSync(newFolder).mode & 0o777, 0o700);
    const existingFolder = join(root, 'there');
    mkdirSync(existingFolder);
    chmodSync(existingFolder, 0o755);
    using _there = lockDataFolder(existingFolder);
    assert.equal(statSync(existingFolder).mode & 0o777, 0o755);
  },
);
