import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import AdmZip from 'adm-zip';
import { buffer } from 'node:stream/consumers';
import { stateOf } from '../../../main/accounts/store/job-records.ts';
import { nameInArchive, openArchive } from '../../../main/asynchronous-jobs/batch/batch-archive.ts';
import { fieldsWithout, rowFields } from '../../../main/asynchronous-jobs/batch/row-request.ts';
import type { ClaimedJob } from '../../../main/asynchronous-jobs/claim.ts';
import { deleteExpiredOutputs } from '../../../main/asynchronous-jobs/expiry.ts';
import { BatchRequests } from '../../../main/asynchronous-jobs/stored-request.ts';
import { setWebhookSecrets, testKeyring } from '../../support/accounts/keyring.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';
import {
  convert,
  sampleOutput,
  submitBatch,
  temporaryQueue,
  type TemporaryQueue,
} from '../../support/accounts/asynchronous-jobs.ts';

async function claimAll(queue: TemporaryQueue): Promise<ClaimedJob[]> {
  const claimed: ClaimedJob[] = [];
  for (let job = await queue.claim(); job !== undefined; job = await queue.claim()) claimed.push(job);
  return claimed;
}

async function batchOf({ jobs }: TemporaryQueue, id: string) {
  const batch = await jobs.find(id);
  assert.ok(batch);
  return batch;
}

describeWithDatabases(({ kind }) => {
  describe('A batch', () => {
    test('ends once when its last rows end at the same time', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann', credits: 100 });
      await setWebhookSecrets(queue.database, 'whsec_x');
      for (let round = 0; round < 5; round += 1) {
        const id = await submitBatch({ queue, account: ann }, 'a\n1\n2\n3\n4\n', {
          fields: {
            callback_url: 'http://127.0.0.1/',
          },
        });
        await Promise.all((await claimAll(queue)).map((job) => convert(queue, job)));
        const batch = await batchOf(queue, id);
        assert.deepEqual([stateOf(batch), batch.totals?.done, batch.totals?.charged], ['done', 4, 4]);
        assert.deepEqual([batch.output_bytes, batch.pages, batch.message], [12, 4, null]);
        assert.equal((await queue.callbackBodies()).length, round + 1);
      }
    });

    test('waits while one of its rows is a suspect, and stops if that row is guilty', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann', credits: 100 });
      const id = await submitBatch({ queue, account: ann }, 'a\n1\n2\n3\n4\n5\n');
      const first = await queue.claim();
      assert.ok(first);
      await convert(queue, first);
      const beside = await queue.claim();
      const guilty = await queue.claim();
      await queue.loseNode();
      const other = await queue.submit(ann);
      assert.deepEqual(
        (await claimAll(queue)).map((job) => job.id),
        [other],
      );
      const innocent = await queue.claimSuspect();
      assert.equal(innocent?.id, beside?.id);
      const suspect = await queue.claimSuspect();
      assert.equal(suspect?.id, guilty?.id);
      assert.ok(innocent && suspect);
      while (await queue.ends.stopBatch(queue.database, suspect));
      await queue.ends.failAsGuilty(queue.database, suspect, 'It ended its process.');
      // Written again after a connection was lost.
      await queue.ends.failAsGuilty(queue.database, suspect, 'It ended its process.');
      assert.equal(stateOf(await batchOf(queue, id)), 'running');
      assert.deepEqual(await claimAll(queue), []);
      await convert(queue, innocent);
      const batch = await batchOf(queue, id);
      assert.deepEqual(
        [stateOf(batch), batch.totals?.done, batch.totals?.failed, batch.totals?.charged],
        ['done', 2, 3, 2],
      );
      assert.deepEqual(
        batch.failures?.map(({ row, status, reason }) => [row, status, reason]),
        [3, 4, 5].map((row) => [row, 500, 500]),
      );
      assert.equal(batch.failures[0]?.message, 'It ended its process.');
      assert.match(batch.failures[1]?.message ?? '', /row 3 ended or stopped the process/);
    });

    test('continues if the rows that were suspects are innocent', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann', credits: 100 });
      const id = await submitBatch({ queue, account: ann }, 'a\n1\n2\n3\n');
      await queue.claim();
      await queue.loseNode();
      const suspect = await queue.claimSuspect();
      assert.ok(suspect);
      assert.deepEqual(await claimAll(queue), []);
      await convert(queue, suspect);
      for (const job of await claimAll(queue)) await convert(queue, job);
      assert.deepEqual((await batchOf(queue, id)).totals?.done, 3);
    });

    test('is queued until its first row begins, and runs until its last row ends', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann', credits: 100 });
      const id = await submitBatch({ queue, account: ann }, 'a\n1\n2\n');
      const states = async () => {
        const listed = await Promise.all(
          (['queued', 'running', 'done'] as const).map(async (state) => {
            const { jobs } = await queue.jobs.list({ account: ann, state, limit: 10 });
            return jobs.map((job) => (job.id === id ? state : 'another job'));
          }),
        );
        return [stateOf(await batchOf(queue, id)), ...listed.flat()];
      };
      assert.deepEqual(await states(), ['queued', 'queued']);
      const [first, second] = await claimAll(queue);
      assert.ok(first && second);
      assert.deepEqual(await states(), ['running', 'running']);
      await convert(queue, first);
      assert.deepEqual(await states(), ['running', 'running']);
      await convert(queue, second);
      assert.deepEqual(await states(), ['done', 'done']);
    });

    test('runs its rows in their order, with the form of the batch and the data of the row', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann' });
      const options = { tag: 'May', output_name: 'Letter {{a}}.pdf', page_size: 'A5' };
      await submitBatch({ queue, account: ann }, 'a,b\nx,1\ny,2\nz,3\n', { fields: options });
      const batchRequests = new BatchRequests(queue.database, testKeyring);
      const requests = await Promise.all(
        (await claimAll(queue)).map(({ request }) => batchRequests.wholeRequest(request)),
      );
      const values = requests.map(({ fields }) =>
        Object.fromEntries(fields.map(({ name, value }) => [name, value])),
      );
      const row = (a: string, b: string) => ({
        text: '{{a}}',
        tag: 'May',
        page_size: 'A5',
        data_string: JSON.stringify({ a, b }),
        data_format: 'json',
        output_name: `Letter ${a}.pdf`,
      });
      assert.deepEqual(values, [row('x', '1'), row('y', '2'), row('z', '3')]);
    });

    test('is decrypted once for many rows, and is not kept in memory after its end', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann', credits: 100 });
      const id = await submitBatch({ queue, account: ann }, 'a\n1\n2\n');
      const [first, second] = await claimAll(queue);
      assert.ok(first && second);
      const batchRequests = new BatchRequests(queue.database, testKeyring);
      await batchRequests.wholeRequest(first.request);
      const setRequest = (request: string) =>
        queue.database.updateTable('asynchronous_jobs').set({ request }).where('job_id', '=', id).execute();
      await setRequest('unreadable');
      await batchRequests.releaseIfEnded(first.request);
      assert.equal((await batchRequests.wholeRequest(second.request)).batch, undefined);
      await convert(queue, first);
      await convert(queue, second);
      await batchRequests.releaseIfEnded(second.request);
      await assert.rejects(batchRequests.wholeRequest(second.request), /the batch .* has ended/);
    });

    test('keeps the outputs of its rows while it runs, and then as long as its own', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann' });
      const id = await submitBatch({ queue, account: ann }, 'a\n1\n2\n', { fields: { keep: '1' } });
      const [first, second] = await claimAll(queue);
      assert.ok(first && second);
      await convert(queue, first);
      const expiries = async () => {
        const { database } = queue;
        const rows = await database
          .selectFrom('asynchronous_jobs')
          .selectAll()
          .orderBy('row_number')
          .execute();
        const ofRows = rows.filter(({ batch_id }) => batch_id !== null).map(({ expires_at }) => expires_at);
        return { ofBatch: (await batchOf(queue, id)).expires_at, ofRows };
      };
      assert.deepEqual(await expiries(), { ofBatch: null, ofRows: [null, null] });
      await convert(queue, second);
      const { ofBatch, ofRows } = await expiries();
      assert.ok(ofBatch !== null && Math.abs(ofBatch - Date.now() - 1000) < 5000);
      // An archive that is read at the last moment is complete.
      for (const expiry of ofRows) assert.ok(Number(expiry) > ofBatch + 30_000);
      await queue.database.updateTable('asynchronous_jobs').set({ expires_at: 1 }).execute();
      await deleteExpiredOutputs(queue.database, queue.files);
      assert.equal((await batchOf(queue, id)).output_deleted, 1);
      const { stream } = await openArchive({ ...queue, keyring: testKeyring }, id);
      assert.deepEqual(new AdmZip(await buffer(stream)).getEntries(), []);
    });

    test('with merge=true waits for the merge, and is no job that windows could convert', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann' });
      const id = await submitBatch({ queue, account: ann }, 'a\n1\n', { fields: { merge: 'true' } });
      for (const job of await claimAll(queue)) await convert(queue, job);
      assert.equal(stateOf(await batchOf(queue, id)), 'running');
      assert.equal(await queue.claim(), undefined);
    });

    test('has an archive that fails while it is read if the document of a row is lost', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann' });
      const id = await submitBatch({ queue, account: ann }, 'a\n1\n2\n');
      const jobs = await claimAll(queue);
      for (const job of jobs) await convert(queue, job);
      for (const lost of jobs.toReversed()) {
        await queue.files.remove(lost.id);
        const { stream } = await openArchive({ ...queue, keyring: testKeyring }, id);
        await assert.rejects(buffer(stream));
      }
    });

    test('has an archive of the size that is announced before, also of many documents', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann' });
      const count = 90;
      const rows = Array.from({ length: count }, (_, index) => `${index}\n`).join('');
      const id = await submitBatch({ queue, account: ann }, `a\n${rows}`);
      for (const job of await claimAll(queue)) await convert(queue, job);
      const { bytes, stream } = await openArchive({ ...queue, keyring: testKeyring }, id);
      const archive = await buffer(stream);
      assert.equal(archive.length, bytes);
      const entries = new AdmZip(archive).getEntries();
      assert.deepEqual(
        [entries.length, entries[0]?.entryName, entries.at(-1)?.entryName],
        [count, '01.pdf', '90.pdf'],
      );
      assert.ok(entries.every((entry) => entry.getData().toString() === 'abc'));
    });
  });
});

describe('The files of an archive', () => {
  const named = (name: string, tag: string | null = null, rows = 9) =>
    nameInArchive({ job: '', row: 3, tag, output: { ...sampleOutput, name } }, rows);

  test('have the number of the row, and the requested name or the tag', () => {
    assert.equal(named('document.pdf'), '3.pdf');
    assert.equal(named('document.pdf', 'May'), '3-May.pdf');
    assert.equal(named('Letter.pdf', 'May'), '3-Letter.pdf');
    assert.equal(named('image.png', null, 1000), '0003.png');
  });

  test('have names that Windows allows, inside the folder', () => {
    for (const name of [
      '../a.pdf',
      'a/b.pdf',
      'a\\b.pdf',
      'a:b?*"<>|.pdf',
      'a .pdf',
      'a\u202efdp.pdf',
      'CON.pdf',
    ])
      assert.match(named(name), /^3-[^<>:"|?*/\\\p{Cc}\u202e]*[^ .]\.pdf$/u, name);
    assert.ok(Buffer.byteLength(named(`${'ü'.repeat(500)}.pdf`)) < 255);
  });
});

describe('The file name of a row', () => {
  const nameOf = (outputName: string, data: object) =>
    rowFields(JSON.stringify(data), outputName).find(({ name }) => name === 'output_name')?.value;

  test('contains the values of the fields of the row', () => {
    assert.equal(nameOf('{{a}}-{{ b c }}.pdf', { a: 1, 'b c': 'x/y' }), '1-x_y.pdf');
    assert.equal(nameOf('{{a}}{{none}}{{list}}.pdf', { a: 'x', list: [1] }), 'x.pdf');
    assert.equal(nameOf('{{none}}.pdf', { a: 'x' }), undefined);
    assert.equal(nameOf('plain.pdf', { a: 'x' }), undefined);
  });

  test('replaces that of the batch, whose placeholders are no name', () => {
    const fields = [
      { name: 'output_name', value: '{{a}}.pdf' },
      { name: 'tag', value: 't' },
    ];
    assert.deepEqual(fieldsWithout(fields, rowFields('{}', '{{a}}.pdf')), [fields[1]]);
  });
});
