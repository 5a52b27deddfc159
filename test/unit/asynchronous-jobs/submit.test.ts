import assert from 'node:assert/strict';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { keptFilesOf } from '../../../main/asynchronous-jobs/files/kept-files.ts';
import { restoreForm } from '../../../main/asynchronous-jobs/stored-request.ts';
import { Failure } from '../../../main/failure/failure.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';
import { temporaryQueue, type TemporaryQueue } from '../../support/accounts/asynchronous-jobs.ts';

const isFailure = (kind: Failure['kind'], text: RegExp) => (problem: unknown) =>
  problem instanceof Failure && problem.kind === kind && text.test(problem.message);

const countJobs = async ({ database }: TemporaryQueue) =>
  (await database.selectFrom('jobs').select('id').execute()).length;

function uploadIn({ scratch }: TemporaryQueue, content: string | Buffer, name = 'page.html') {
  const path = join(scratch, `upload-${Math.random()}`);
  writeFileSync(path, content);
  return { name: 'file', upload: { path, name, size: Buffer.byteLength(content) } };
}

describeWithDatabases(({ kind }) => {
  test('a submitted job waits, with the facts of its request but without its secrets', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', credits: 1 });
    const fields = {
      text: '<p>x',
      tag: 'bill 7',
      user_password: 'MARKER1',
      priority: 'interactive',
      keep: '60',
    };
    const id = await queue.submit(ann, { fields });
    const row = await queue.jobRow(id);
    assert.deepEqual(
      [row.outcome, row.started_at, row.node_id, row.reserved, row.tag, row.input, row.input_bytes],
      [null, null, null, 0, 'bill 7', 'text', 4],
    );
    assert.doesNotMatch(JSON.stringify(row), /MARKER/);
    assert.deepEqual(Object.keys(JSON.parse(row.parameters ?? '') as object), [
      'text',
      'tag',
      'user_password',
    ]);
    const { jobs } = await queue.jobs.list({ limit: 5, state: 'queued' });
    assert.deepEqual([jobs[0]?.id, jobs[0]?.priority, jobs[0]?.keep_ms], [id, 0, 60_000]);
    assert.deepEqual((await queue.jobs.list({ limit: 5, state: 'running' })).jobs, []);
  });

  test('the node that runs the job gets the form with its files', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const large = Buffer.alloc(2_500_000, 'abcdefg');
    const files = [
      uploadIn(queue, '<p>page'),
      { ...uploadIn(queue, large, 'data.bin'), name: 'attachment' },
      { ...uploadIn(queue, ''), name: 'attachment' },
    ];
    await queue.submit(ann, { fields: { tag: 't' }, files });
    const claimed = await queue.claim();
    assert.ok(claimed);
    const form = await restoreForm(claimed.request, { path: () => queue.scratch }, queue.files);
    assert.deepEqual(form.fields, [{ name: 'tag', value: 't' }]);
    assert.deepEqual(
      form.files.map(({ name, upload: { name: file, size } }) => [name, file, size]),
      [
        ['file', 'page.html', 7],
        ['attachment', 'data.bin', 2_500_000],
        ['attachment', 'page.html', 0],
      ],
    );
    assert.ok(large.equals(await buffer(createReadStream(form.files[1]?.upload.path ?? ''))));
  });

  test('long values of fields are stored as encrypted files, so that the row of the job stays small', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const fields = {
      tag: 't',
      text: `<p>${'MARKER ü '.repeat(20_000)}`,
      custom_css: '/* MARKER 大 */'.repeat(200_000),
      header_html: 'MARKER'.repeat(100_000),
    };
    const id = await queue.submit(ann, { fields });
    const row = await queue.database
      .selectFrom('asynchronous_jobs')
      .select(['request', 'upload_bytes'])
      .where('job_id', '=', id)
      .executeTakeFirstOrThrow();
    assert.ok((row.request ?? '').length < 10_000);
    const bytes = Object.values(fields).reduce((sum, value) => sum + Buffer.byteLength(value), 0);
    assert.ok(row.upload_bytes >= bytes && row.upload_bytes < bytes + 10_000, `${row.upload_bytes}`);
    for (const file of ['0', '1', '2'])
      assert.doesNotMatch((await buffer(queue.files.read(id, file))).toString('latin1'), /MARKER/);
    const claimed = await queue.claim();
    assert.ok(claimed);
    const form = await restoreForm(claimed.request, { path: () => queue.scratch }, queue.files);
    assert.deepEqual(form.files, []);
    assert.deepEqual(Object.fromEntries(form.fields.map(({ name, value }) => [name, value])), fields);
  });

  test('an invalid request is refused with the failure of the synchronous call, and creates no job', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const refused = [
      [{ text: 'x', page_size: 'A9' }, 'valueNotAllowed', /page_size/],
      [{ tag: 'x' }, 'noInput', /no input/i],
      [{ text: 'x', pagesize: 'A4' }, 'unknownParameter', /did you mean page_size/],
      [{ text: 'x', priority: 'high' }, 'valueNotAllowed', /'high' of priority.*interactive, batch/],
      [{ text: 'x', keep: '0' }, 'valueNotAllowed', /'0' of keep.*from 1 to 3600/],
      [{ text: 'x', keep: '3601' }, 'valueNotAllowed', /of keep/],
      [{ text: 'x', callback_url: 'ftp://a/' }, 'valueNotAllowed', /callback_url/],
      [{ text: 'x', callback_url: 'http://u:p@example.com/' }, 'valueNotAllowed', /without user name/],
      [{ text: 'x', callback_url: 'http://10.0.0.1/' }, 'addressRefused', /callback_url/],
      [{ text: 'x', callback_url: 'http://127.0.0.1/' }, 'valueNotAllowed', /account webhook-secret/],
    ] as const;
    for (const [fields, failure, text] of refused)
      await assert.rejects(queue.submit(ann, { fields }), isFailure(failure, text), JSON.stringify(fields));
    const files = [uploadIn(queue, '')];
    await assert.rejects(queue.submit(ann, { fields: {}, files }), isFailure('notHtml', /is empty/));
    assert.equal(await countJobs(queue), 0);
  });

  test('the same key and request give the same job, another request 422, also among simultaneous requests', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const bob = await queue.account({ name: 'bob' });
    const request = () => ({ fields: { tag: 'a' }, files: [uploadIn(queue, '<p>1')], key: 'k' });
    const ids = await Promise.all(Array.from({ length: 6 }, () => queue.submit(ann, request())));
    assert.equal(new Set(ids).size, 1);
    assert.equal(await queue.submit(ann, request()), ids[0]);
    const other = { ...request(), files: [uploadIn(queue, '<p>2')] };
    await assert.rejects(
      queue.submit(ann, other),
      isFailure('idempotencyKeyReused', new RegExp(ids[0] ?? '-')),
    );
    await assert.rejects(
      queue.submit(ann, { ...request(), fields: { tag: 'b' } }),
      isFailure('idempotencyKeyReused', /new key/),
    );
    assert.notEqual(await queue.submit(bob, request()), ids[0]);
    assert.notEqual(await queue.submit(ann, { ...other, key: 'k2' }), ids[0]);
    assert.equal(await countJobs(queue), 3);
    assert.deepEqual((await keptFilesOf(queue.database, ids)).get(ids[0] ?? ''), 'all');
  });

  test('a full queue refuses further jobs, but not the repetition of a request; running jobs do not count', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const limits = { queue: 1 };
    const first = await queue.submit(ann, { key: 'k' }, limits);
    await assert.rejects(queue.submit(ann, {}, limits), isFailure('unavailable', /jobs-queue/));
    assert.equal(await queue.submit(ann, { key: 'k' }, limits), first);
    await queue.claim();
    await queue.submit(ann, {}, limits);
    await assert.rejects(queue.submit(ann, {}, limits), isFailure('unavailable', /jobs-queue/));
  });
});
