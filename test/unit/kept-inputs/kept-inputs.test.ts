import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Job } from '../../../main/job/job.ts';
import { KeptInputs, type KeptInput } from '../../../main/kept-inputs/kept-inputs.ts';

describe('Kept requests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-kept-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  after(() => {
    rmSync(folder, { recursive: true });
  });

  function keyFile(name: string, content = 'k'.repeat(44), mode = 0o600): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    chmodSync(path, mode);
    return path;
  }

  const open = (file: string, accounts = ['billing']) =>
    KeptInputs.open({ data, 'keep-inputs': accounts.map((account) => ({ account, file })) });

  async function readAll(inputs: KeptInputs): Promise<KeptInput[]> {
    const all: KeptInput[] = [];
    for await (const input of inputs.read()) all.push(input);
    return all;
  }

  const job = (id: string, account = 'billing'): Pick<Job, 'id' | 'account' | 'rawValues'> => {
    const upload = join(folder, 'upload');
    writeFileSync(upload, 'a;b');
    return {
      id,
      account,
      rawValues: new Map([
        ['text', ['<p>Grüße']],
        ['cookies', ['secret=marker']],
        ['attachment', [{ path: upload, name: 'ä.csv', size: 3 }]],
      ]),
    };
  };

  test('are read as they were sent, without secrets, and are encrypted on disk', async () => {
    const inputs = await open(keyFile('key'));
    await inputs.keep(job('job1'));
    await inputs.keep(job('job2', 'others'));
    const [kept, ...others] = await readAll(await open(keyFile('key')));
    deepEqual(others, []);
    deepEqual(
      { ...kept, values: kept?.values.map(({ bytes, ...value }) => ({ ...value, text: bytes.toString() })) },
      {
        job: 'job1',
        account: 'billing',
        values: [
          { name: 'text', text: '<p>Grüße' },
          { name: 'attachment', file: 'ä.csv', text: 'a;b' },
        ],
      },
    );
    const [account = ''] = readdirSync(join(data, 'kept-inputs'));
    const stored = readFileSync(join(data, 'kept-inputs', account, 'job1'), 'latin1');
    for (const word of ['text', 'Gr', 'csv', 'a;b', 'billing', 'marker']) ok(!stored.includes(word), word);
  });

  test('cannot be read with another key, or if they were changed or renamed', async () => {
    const inputs = await open(keyFile('key'));
    await inputs.keep(job('job1'));
    const [account = ''] = readdirSync(join(data, 'kept-inputs'));
    const path = join(data, 'kept-inputs', account, 'job1');
    await rejects(readAll(await open(keyFile('other', 'o'.repeat(44)))), /job1 cannot be decrypted/);
    const stored = readFileSync(path);
    stored[20] = (stored[20] ?? 0) ^ 1;
    writeFileSync(path, stored);
    await rejects(readAll(inputs), /it was kept with another key, or it is damaged/);
    rmSync(path);
    await inputs.keep(job('job1'));
    writeFileSync(join(data, 'kept-inputs', account, 'job9'), readFileSync(path));
    await rejects(readAll(inputs), /job9 cannot be decrypted/);
    rmSync(join(data, 'kept-inputs'), { recursive: true });
  });

  test('are the newest 100 of each account, and large ones are not kept', async () => {
    const inputs = await open(keyFile('key'));
    for (let index = 0; index < 103; index += 1) await inputs.keep(job(`job${1000 + index}`));
    const large = { path: '', name: 'x', size: 30_000_000 };
    await inputs.keep({ ...job('job2000'), rawValues: new Map([['file', [large]]]) });
    const kept = await readAll(inputs);
    equal(kept.length, 100);
    deepEqual([kept.at(0)?.job, kept.at(-1)?.job], ['job1003', 'job1102']);
  });

  test('need a key file that only its owner can read, outside the data folder', async () => {
    await rejects(open(join(folder, 'none')), /keep-inputs: .*none cannot be read: /);
    await rejects(open(keyFile('short', 'short')), /has fewer than 32 bytes; create a key/);
    if (process.platform !== 'win32')
      await rejects(open(keyFile('open', 'k'.repeat(44), 0o644)), /can be read by other users/);
    writeFileSync(join(data, 'key'), 'k'.repeat(44), { mode: 0o600 });
    await rejects(open('key'), /is in the data folder; store the key elsewhere/);
  });
});
