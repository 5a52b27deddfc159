import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { openDebugLogs, type DebugLogs } from '../../../main/log/debug-logs.ts';
import { waitUntil } from '../../support/wait-until.ts';

const hour = 3_600_000;
const sampleVersions = { platen: '1', electron: '1', chromium: '1' };
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-logs-'));
});
afterEach(async () => {
  mock.timers.reset();
  await rm(folder, { recursive: true, force: true });
});

/** Writes a complete log and returns the id of its link. */
async function write(text = 'hello'): Promise<string> {
  await using logs = await openDebugLogs(folder, hour);
  const log = logs.open(true, 'ann');
  log.note(text);
  await log.end('converted', { outcome: 'converted' });
  assert.ok(log.id);
  return log.id;
}

async function age(id: string, milliseconds: number): Promise<void> {
  const then = new Date(Date.now() - milliseconds);
  await utimes(join(folder, `${id}.jsonl`), then, then);
}

describe('a recorded log', () => {
  test('can be read by its id, also after a restart', async () => {
    const id = await write('héllo\n😀');
    await using logs = await openDebugLogs(folder, hour);
    const events = await logs.read(id);
    assert.deepEqual(
      events?.map(({ kind, text }) => [kind, text]),
      [
        ['note', 'héllo\n😀'],
        ['end', 'converted'],
      ],
    );
  });

  test('has an unguessable id and a file only its owner may read', async () => {
    const ids = [await write(), await write()];
    assert.notEqual(ids[0], ids[1]);
    for (const id of ids) {
      assert.match(id, /^[0-9a-f]{40}$/);
      // Windows has no modes.
      if (process.platform !== 'win32')
        assert.equal((await stat(join(folder, `${id}.jsonl`))).mode & 0o077, 0);
    }
  });

  test('whose last line is incomplete can be read up to that line', async () => {
    const id = await write();
    await writeFile(join(folder, `${id}.jsonl`), '{"at":1,"kind":"note","text":"whole"}\n{"at":2,"ki');
    await using logs = await openDebugLogs(folder, hour);
    assert.deepEqual(await logs.read(id), [{ at: 1, kind: 'note', text: 'whole' }]);
  });

  test('cannot be read after it expires; the next start deletes the file', async () => {
    const old = await write();
    const young = await write();
    await using logs = await openDebugLogs(folder, hour);
    await age(old, hour + 1000);
    await age(young, hour - 60_000);
    assert.equal(await logs.read(old), undefined);
    await using _next = await openDebugLogs(folder, hour);
    assert.deepEqual(await readdir(folder), [`${young}.jsonl`]);
  });
});

test('the logs of an account beyond its share are deleted, oldest first, also after a restart; others stay', async () => {
  const writeFor = async (logs: DebugLogs, account: string) => {
    const log = logs.open(true, account);
    log.write({ kind: 'job', text: 'id', detail: { account, received: '', versions: sampleVersions } });
    log.note('x'.repeat(10_000));
    await log.end('converted', { outcome: 'converted' });
    return `${log.id}.jsonl`;
  };
  const remain = (names: readonly string[]) =>
    waitUntil('the other logs are deleted', async () => {
      const found = await readdir(folder);
      return found.length === names.length && names.every((name) => found.includes(name));
    });
  const written: string[] = [];
  {
    await using logs = await openDebugLogs(folder, hour, 25_000);
    written.push(await writeFor(logs, 'bob'), await writeFor(logs, 'ann'));
    for (let n = 0; n < 3; n += 1) written.push(await writeFor(logs, 'ann'));
    await remain([0, 3, 4].map((index) => written[index] ?? ''));
  }
  for (const [index, name] of written.entries())
    if (index === 0 || index > 2) await age(name.replace('.jsonl', ''), 60_000 - 1000 * index);
  await using logs = await openDebugLogs(folder, hour, 25_000);
  written.push(await writeFor(logs, 'ann'));
  await remain([0, 4, 5].map((index) => written[index] ?? ''));
});

test('a job without debug_log leaves no file', async () => {
  await using logs = await openDebugLogs(folder, hour);
  const log = logs.open(false, 'ann');
  log.note('x');
  await log.end('converted', { outcome: 'converted' });
  assert.deepEqual([log.id, log.isRecorded, await readdir(folder)], [undefined, false, []]);
});

test('an invalid id finds no log, neither in the folder nor outside it', async () => {
  await writeFile(join(folder, '..', `${'a'.repeat(40)}.jsonl`), '{}\n');
  await using logs = await openDebugLogs(folder, hour);
  const id = await write();
  const wrong = [
    '',
    '..',
    `../${'a'.repeat(40)}`,
    `..%2f${'a'.repeat(40)}`,
    `${id}\0`,
    `${id}\n`,
    id.toUpperCase(),
    `${id}.jsonl`,
    '__proto__',
    'f'.repeat(40),
  ];
  for (const wrongId of wrong.filter((candidate) => candidate !== id))
    assert.equal(await logs.read(wrongId), undefined, wrongId);
  await rm(join(folder, '..', `${'a'.repeat(40)}.jsonl`));
});

describe('the removal of old logs', () => {
  test('ignores an old folder among the logs', async () => {
    const foreign = join(folder, 'someone-elses');
    const { mkdir } = await import('node:fs/promises');
    await mkdir(foreign);
    await utimes(foreign, new Date(0), new Date(0));
    await using logs = await openDebugLogs(folder, hour);
    assert.ok(logs.open(false, 'ann'));
  });

  test('causes no unhandled rejection when the folder is missing', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    await using _logs = await openDebugLogs(folder, hour);
    await rm(folder, { recursive: true });
    const rejections: unknown[] = [];
    const note = (reason: unknown) => rejections.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    try {
      mock.timers.tick(600_000);
      // Waits for the pending file system call that finds the folder missing.
      await readdir(folder).catch(() => []);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    } finally {
      process.off('unhandledRejection', note);
      for (const listener of others) process.on('unhandledRejection', listener);
    }
    assert.deepEqual(rejections, []);
  });
});
