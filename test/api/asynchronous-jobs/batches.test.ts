/** Batches: one template, and a document for each row of data. */
import { setWebhookSecrets } from '../../support/accounts/keyring.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import AdmZip from 'adm-zip';
import { newWebhookSecret } from '../../../main/accounts/keys.ts';
import { pdfFacts, pdfText } from '../../support/output/pdf.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { serveCallbackReceiver } from '../../support/servers/callback-receiver.ts';
import { output, remove, submit, submitted, waitForEnd } from '../../support/service/asynchronous-job.ts';
import { htmlFile, type Fields } from '../../support/service/convert.ts';
import { basic, get, listJobs } from '../../support/service/job-record.ts';
import { electronOf } from '../../support/service/processes.ts';
import { startWithDatabase, type ServiceWithDatabase } from '../../support/service/service-databases.ts';
import { waitUntil } from '../../support/wait-until.ts';

const ann = basic('ann');
const accounts = 'ann:key:1000,bob:key:3,cyd:key,dan:key';
const template = '<title>Invoice {{number}}</title><p>Invoice {{number}} for {{name}}';

const csv = (text: string) => new File([text], 'rows.csv');
const jsonLines = (rows: readonly object[]) =>
  new File([rows.map((row) => JSON.stringify(row)).join('\n')], 'rows.jsonl');
const numbered = (count: number) =>
  jsonLines(
    Array.from({ length: count }, (_, index) => ({ number: index + 1, name: `Caller ${index + 1}` })),
  );

async function refusal(running: ServiceWithDatabase, fields: Fields): Promise<string> {
  const response = await submit(running.service, ann, fields);
  assert.equal(response.status, 400);
  return await response.text();
}

async function entriesOf(response: Response): Promise<Map<string, Buffer>> {
  assert.equal(response.status, 200);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.headers.get('content-type'), 'application/zip');
  assert.equal(response.headers.get('content-length'), String(bytes.length));
  return new Map(new AdmZip(bytes).getEntries().map((entry) => [entry.entryName, entry.getData()]));
}

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`A batch with ${kind}`, { skip: kind === 'postgres' && postgresMissing }, () => {
    let running: ServiceWithDatabase;
    before(async () => {
      running = await startWithDatabase(kind, [
        '--accounts',
        accounts,
        '--workers',
        '2',
        '--network-allow',
        '127.0.0.1',
        '--jobs-queue',
        '500',
      ]);
    });
    after(() => running[Symbol.asyncDispose]());
    const spentBy = async (name: string) =>
      (
        await running.database
          .selectFrom('accounts')
          .select('spent')
          .where('name', '=', name)
          .executeTakeFirstOrThrow()
      ).spent;

    test('makes a document of each row; a row that fails does not affect the others', async () => {
      const { service, database, keyring } = running;
      const secret = newWebhookSecret();
      await setWebhookSecrets(database, secret, keyring);
      await using receiver = await serveCallbackReceiver(secret);
      const before = await spentBy('ann');
      const rows = csv('number;name\n1;Ann\n2\n3;"Bob; <b>"\n');
      const fields = { text: template, rows, tag: 'May: 1/2', callback_url: `${receiver.url}/hook` };
      const id = await submitted(service, ann, fields);
      const job = await waitForEnd(service, ann, id);
      assert.equal(job.state, 'done');
      assert.deepEqual(job.progress, { rows: 3, done: 2, failed: 1, canceled: 0 });
      assert.equal(job.message, '1 of 3 rows failed.');
      assert.equal(job.consumed_credits, 2);
      assert.equal((await spentBy('ann')) - before, 2);
      const [failure] = job.failures ?? [];
      assert.deepEqual([failure?.row, failure?.status, failure?.reason], [2, 400, 313]);
      assert.match(
        failure?.message ?? '',
        /Row 2 at line 3: The row has 1 value, but the header has 2 values/,
      );

      const response = await output(service, ann, id);
      assert.equal(response.headers.get('x-service-consumed-credits'), '2');
      const entries = await entriesOf(response);
      assert.deepEqual([...entries.keys()], ['1-May_ 1_2.pdf', '3-May_ 1_2.pdf', 'failures.json']);
      assert.equal(pdfText(entries.get('1-May_ 1_2.pdf') ?? Buffer.alloc(0)), 'Invoice 1 for Ann');
      assert.equal(pdfText(entries.get('3-May_ 1_2.pdf') ?? Buffer.alloc(0)), 'Invoice 3 for Bob; <b>');
      assert.deepEqual(JSON.parse(String(entries.get('failures.json'))), job.failures);

      await waitUntil('the callback arrives', () => receiver.received.length > 0);
      const callback = JSON.parse(receiver.received[0]?.body ?? '') as Record<string, unknown>;
      assert.equal(callback.type, 'job.done');
      assert.deepEqual(callback.data, await (await get(service, `/jobs/${id}`, ann)).json());
      await pause(300);
      assert.deepEqual([receiver.received.length, receiver.problems.length], [1, 0]);
    });

    test('counts once in the list of jobs, which lists its rows on request', async () => {
      const { service } = running;
      const cyd = basic('cyd');
      const id = await submitted(service, cyd, { file: htmlFile(template), rows: numbered(3) });
      await waitForEnd(service, cyd, id);
      const { jobs } = await listJobs(service, cyd);
      assert.deepEqual(
        jobs.map((job) => [job.id, job.progress?.done]),
        [[id, 3]],
      );
      const rows = (await listJobs(service, cyd, `?batch=${id}`)).jobs;
      assert.deepEqual(
        rows.map(({ row, batch, state }) => [row, batch, state]),
        [3, 2, 1].map((row) => [row, id, 'done']),
      );
      const response = await output(service, cyd, rows[0]?.id ?? '');
      assert.equal(pdfText(Buffer.from(await response.arrayBuffer())), 'Invoice 3 for Caller 3');
    });

    test('has file names with the fields of its rows, and images as documents', async () => {
      const { service } = running;
      const rows = jsonLines([
        { number: 7, name: 'a/b:c' },
        { number: 8, name: '' },
      ]);
      const fields = {
        text: template,
        rows,
        output_name: 'Invoice {{number}} {{ name }}.png',
        output_format: 'png',
      };
      const id = await submitted(service, ann, fields);
      assert.equal((await waitForEnd(service, ann, id)).state, 'done');
      const entries = await entriesOf(await output(service, ann, id));
      assert.deepEqual([...entries.keys()], ['1-Invoice 7 a_b_c.png', '2-Invoice 8.png']);
      for (const image of entries.values()) assert.equal(image.toString('latin1', 1, 4), 'PNG');
    });

    test('merges its documents with merge=true, with a bookmark for each', async () => {
      const { service } = running;
      const id = await submitted(service, ann, {
        text: `${template}<h1 id="a">Part</h1><a href="#a">to</a>`,
        rows: numbered(12),
        merge: true,
        output_name: 'May.pdf',
      });
      const job = await waitForEnd(service, ann, id);
      assert.deepEqual([job.state, job.pages, job.consumed_credits], ['done', 12, 12]);
      const response = await output(service, ann, id);
      const merged = Buffer.from(await response.arrayBuffer());
      assert.equal(response.headers.get('content-type'), 'application/pdf');
      assert.match(response.headers.get('content-disposition') ?? '', /May\.pdf/);
      assert.equal(response.headers.get('x-service-pages'), '12');
      assert.equal(response.headers.get('x-service-consumed-credits'), '12');
      const digest = createHash('sha256').update(merged).digest('base64');
      assert.equal(response.headers.get('repr-digest'), `sha-256=:${digest}:`);
      assert.equal(pdfFacts(merged).pages, 12);
      assert.match(pdfText(merged, 11), /^Invoice 11 for Caller 11/);
      assert.match(
        merged.toString('latin1'),
        new RegExp(Buffer.from('\ufeffInvoice 12', 'utf16le').swap16().toString('hex'), 'i'),
      );
    });

    test('fails if no row can be converted, with the reason of the first one', async () => {
      const { service } = running;
      const id = await submitted(service, ann, { text: '{{missing}}', rows: numbered(3) });
      const job = await waitForEnd(service, ann, id);
      assert.deepEqual([job.state, job.reason, job.consumed_credits], ['failed', 313, 0]);
      assert.match(job.message ?? '', /None of the 3 rows was converted. Row 1: .*missing/);
      const response = await output(service, ann, id);
      assert.equal(response.status, 400);
      assert.match(await response.text(), /^400\.313 - None of the 3 rows/);
    });

    test('ends when the credits end: the other rows fail with 403.105', async () => {
      const { service } = running;
      const bob = basic('bob');
      const id = await submitted(service, bob, { text: template, rows: numbered(5) });
      const job = await waitForEnd(service, bob, id);
      assert.deepEqual(job.progress, { rows: 5, done: 3, failed: 2, canceled: 0 });
      assert.deepEqual(
        job.failures?.map(({ status, reason }) => [status, reason]),
        [
          [403, 105],
          [403, 105],
        ],
      );
      assert.equal(await spentBy('bob'), 3);
    });

    test('is canceled with all its rows, also those that run', async () => {
      const { service, database } = running;
      const dan = basic('dan');
      const slow = { text: '<script></script>{{number}}', rows: numbered(50), javascript_delay: 5000 };
      const id = await submitted(service, dan, slow);
      await waitUntil(
        'rows run',
        async () => (await listJobs(service, dan, `?batch=${id}&state=running`)).jobs.length === 2,
      );
      assert.deepEqual(
        (await listJobs(service, dan, '?state=running')).jobs.map((job) => job.id),
        [id],
      );
      const early = await output(service, dan, id);
      assert.deepEqual([early.status, early.headers.get('retry-after')], [409, '2']);
      assert.equal((await remove(service, dan, id)).status, 204);
      const job = await waitForEnd(service, dan, id);
      assert.deepEqual(
        [job.state, job.progress],
        ['canceled', { rows: 50, done: 0, failed: 0, canceled: 50 }],
      );
      assert.equal((await output(service, dan, id)).status, 410);
      assert.equal(await spentBy('dan'), 0);
      const open = await database
        .selectFrom('asynchronous_jobs')
        .select('job_id')
        .where('request', 'is not', null)
        .execute();
      assert.deepEqual(open, []);
    });

    test('loses all outputs when it is deleted', async () => {
      const { service, database } = running;
      const id = await submitted(service, ann, { text: template, rows: numbered(2) });
      await waitForEnd(service, ann, id);
      const rows = (await listJobs(service, ann, `?batch=${id}`)).jobs;
      assert.equal((await remove(service, ann, id)).status, 204);
      for (const job of [id, ...rows.map((row) => row.id)]) {
        const response = await output(service, ann, job);
        assert.equal(response.status, 410);
        await response.text();
      }
      const files = await database
        .selectFrom('job_files')
        .select('job_id')
        .where(
          'job_id',
          'in',
          rows.map((row) => row.id),
        )
        .execute();
      assert.deepEqual(files, []);
    });

    test('is refused as a whole if its options or its file cannot be used', async () => {
      const rows = numbered(2);
      assert.match(await refusal(running, { url: 'http://example.com/', rows }), /400\.311 .*template/);
      assert.match(
        await refusal(running, { text: template, rows, data_string: '{}' }),
        /400\.311 .*leave data_string out/,
      );
      assert.match(await refusal(running, { text: template, rows: 'a\n1' }), /400\.302 .*file part/);
      assert.match(
        await refusal(running, { text: template, merge: true }),
        /400\.311 .*send the file rows too/,
      );
      assert.match(await refusal(running, { text: template, rows, page_size: 'A9' }), /400\.311 .*page_size/);
      assert.match(
        await refusal(running, { text: template, rows: csv('a,a\n1,2') }),
        /400\.313 .*both named 'a'/,
      );
      assert.match(
        await refusal(running, { text: template, rows: csv('a,b\n1\n2\n') }),
        /400\.313 .*Row 1 at line 2/,
      );
      const long = csv(`a\n${'1\n'.repeat(501)}`);
      assert.match(await refusal(running, { text: template, rows: long }), /400\.311 .*501 rows.*500/);
      const merge = { text: template, rows, merge: true };
      for (const options of [
        { output_format: 'png' },
        { pdf_standard: 'pdfa-2b' },
        { encrypt: true, owner_password: 'x' },
        { linearize: true },
      ])
        assert.match(await refusal(running, { ...merge, ...options }), /400\.311 .*merge=true/);
    });

    test('is one job for one idempotency key', async () => {
      const { service } = running;
      const fields = () => ({ text: template, rows: numbered(2) });
      const first = (await (await submit(service, ann, fields(), { key: 'k' })).json()) as { id: string };
      const second = (await (await submit(service, ann, fields(), { key: 'k' })).json()) as { id: string };
      assert.equal(first.id, second.id);
      const other = await submit(service, ann, { ...fields(), rows: numbered(3) }, { key: 'k' });
      assert.equal(other.status, 422);
    });
  });

const restartFlags = ['--accounts', accounts, '--workers', '2', '--restart', 'off'];

for (const kind of ['sqlite', 'postgres'] as const)
  test(
    `with ${kind}, SIGKILL in the middle of a batch: each row is charged once, and the batch ends once`,
    {
      skip: kind === 'postgres' && postgresMissing,
    },
    async () => {
      await using running = await startWithDatabase(kind, restartFlags);
      const secret = newWebhookSecret();
      await setWebhookSecrets(running.database, secret, running.keyring);
      const id = await submitted(running.service, ann, { text: template, rows: numbered(40), merge: true });
      // A node of a shared database is given up as lost only 20 s after its end.
      for (const done of kind === 'sqlite' ? [5, 15, 30] : [10]) {
        await waitUntil(`${done} rows are done`, async () => {
          const job = (await listJobs(running.service, ann)).jobs[0];
          return (job?.progress?.done ?? 0) >= done;
        });
        const ended = new Promise((resolve) => running.service.process.once('exit', resolve));
        process.kill(electronOf(running.service), 'SIGKILL');
        await ended;
        await running.restart();
      }
      const job = await waitForEnd(running.service, ann, id);
      assert.deepEqual([job.state, job.progress], ['done', { rows: 40, done: 40, failed: 0, canceled: 0 }]);
      const merged = Buffer.from(await (await output(running.service, ann, id)).arrayBuffer());
      const pages = Array.from({ length: 40 }, (_, index) => pdfText(merged, index + 1));
      assert.deepEqual(
        pages,
        pages.map((_, index) => `Invoice ${index + 1} for Caller ${index + 1}`),
      );
      const { spent } = await running.database
        .selectFrom('accounts')
        .select('spent')
        .where('name', '=', 'ann')
        .executeTakeFirstOrThrow();
      const rows = await running.database.selectFrom('jobs').selectAll().execute();
      assert.equal(spent, 40);
      assert.equal(
        rows.reduce((sum, { charged }) => sum + charged, 0),
        40,
      );
      assert.equal(rows.length, 41);
      assert.deepEqual(
        rows.filter(({ reserved, outcome }) => reserved !== 0 || outcome === null),
        [],
      );
    },
  );
