/** What one account submits does not keep others from the queue, the database and the disk. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { postgresMissing } from '../../support/postgres/server.ts';
import { parseResponses, sendRaw } from '../../support/servers/raw-connection.ts';
import { output, remove, submit, submitted, waitForEnd } from '../../support/service/asynchronous-job.ts';
import { htmlFile } from '../../support/service/convert.ts';
import { basic, get, listJobs } from '../../support/service/job-record.ts';
import { electronOf } from '../../support/service/processes.ts';
import { startWithDatabase, type ServiceWithDatabase } from '../../support/service/service-databases.ts';
import { waitUntil } from '../../support/wait-until.ts';

const ann = basic('ann');
const bob = basic('bob');
const flags = ['--accounts', 'ann:key,bob:key,none:key:0', '--workers', '1', '--restart', 'off'];
/** Rows that run for minutes, unless they are canceled. */
const rowCount = 1500;
const slowBatch = () => ({
  text: '<p>{{a}}<script></script>',
  javascript_delay: 1000,
  rows: new File([`a\n${`${'x'.repeat(10_000)}\n`.repeat(rowCount)}`], 'rows.csv'),
});

async function countRows({ database }: ServiceWithDatabase): Promise<number> {
  const { rows } = await database
    .selectFrom('asynchronous_jobs')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('batch_id', 'is not', null)
    .executeTakeFirstOrThrow();
  return rows;
}

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`With ${kind}`, { skip: kind === 'postgres' && postgresMissing }, () => {
    let running: ServiceWithDatabase;
    before(async () => {
      running = await startWithDatabase(kind, [
        ...flags,
        '--jobs-queue',
        '4000',
        '--uploads-per-account',
        '20MB',
      ]);
    });
    after(() => running[Symbol.asyncDispose]());

    test('an account without credits is refused', async () => {
      for (const fields of [{ text: '<p>x' }, slowBatch()]) {
        const response = await submit(running.service, basic('none'), fields);
        assert.equal(response.status, 403);
        assert.match(await response.text(), /^403\.105/);
      }
      assert.deepEqual((await listJobs(running.service, basic('none'))).jobs, []);
    });

    test('an account without credits is refused before its body arrives, also with a new Idempotency-Key', async () => {
      const head = [
        'POST /jobs HTTP/1.1',
        `Host: ${new URL(running.service.url).host}`,
        `Authorization: ${basic('none')}`,
        'Idempotency-Key: new',
        'Content-Type: application/x-www-form-urlencoded',
        'Content-Length: 200000000',
        'Expect: 100-continue',
        'Connection: close',
      ];
      const responses = parseResponses(await sendRaw(running.service, `${head.join('\r\n')}\r\n\r\n`));
      assert.deepEqual(
        responses.map(({ status }) => status),
        [403],
      );
      assert.match(responses[0]?.body ?? '', /^403\.105/);
    });

    test('others read and submit while a large batch is inserted, and run before its rows', async () => {
      const { service } = running;
      const batch = submitted(service, ann, slowBatch());
      let turns = 0;
      await waitUntil('the batch is visible', async () => {
        const response = await get(service, '/jobs', bob);
        assert.deepEqual(((await response.json()) as { jobs: unknown[] }).jobs, []);
        const rows = await countRows(running);
        if ((await listJobs(service, ann)).jobs.length > 0) return true;
        if (rows > 0) turns += 1;
        return false;
      });
      assert.ok(turns > 0);
      const id = await batch;
      const second = await submit(service, ann, slowBatch());
      assert.equal(second.status, 429);
      assert.ok(second.headers.get('retry-after'));
      assert.match(await second.text(), /^429\.120 .*of your account wait.*jobs-queue/);
      await waitUntil(
        'a row of the batch runs',
        async () => (await listJobs(service, ann, `?batch=${id}&state=running`)).jobs.length > 0,
      );
      const own = await submitted(service, bob, { text: '<p>own' });
      const job = await waitForEnd(service, bob, own);
      assert.equal(job.state, 'done');
      const begun = await running.database
        .selectFrom('jobs')
        .innerJoin('asynchronous_jobs', 'job_id', 'id')
        .select('id')
        .where('batch_id', '=', id)
        .where('started_at', '>', Date.parse(job.received_at))
        .where('started_at', '<', Date.parse(job.started_at ?? ''))
        .execute();
      assert.ok(begun.length <= 1, `${begun.length} rows began first`);
      assert.equal((await remove(service, ann, id)).status, 204);
      assert.equal((await remove(service, bob, own)).status, 204);
    });

    test('uploads beyond the share of an account are refused, and those of another are accepted', async () => {
      const { service } = running;
      const file = htmlFile(`<script></script><!--${'x'.repeat(11_000_000)}-->`);
      const first = await submitted(service, ann, { file, javascript_delay: 20_000 });
      const second = await submit(service, ann, { file });
      assert.equal(second.status, 429);
      assert.match(await second.text(), /^429\.120 .*uploads-per-account/);
      const other = await submitted(service, bob, { file });
      for (const [account, id] of [
        [ann, first],
        [bob, other],
      ] as const)
        assert.equal((await remove(service, account, id)).status, 204);
      assert.equal((await submit(service, ann, { text: '<p>x' })).status, 202);
    });
  });

for (const kind of ['sqlite', 'postgres'] as const)
  test(
    `a batch that a crash interrupts is removed, and its key is free, with ${kind}`,
    { skip: kind === 'postgres' && postgresMissing },
    async () => {
      await using running = await startWithDatabase(kind, flags);
      const lost = submit(running.service, ann, slowBatch(), { key: 'k' }).catch(() => undefined);
      await waitUntil('rows are inserted', async () => (await countRows(running)) > 0);
      const ended = new Promise((resolve) => running.service.process.once('exit', resolve));
      process.kill(electronOf(running.service), 'SIGKILL');
      await ended;
      assert.equal(await lost, undefined);
      await running.restart();
      assert.deepEqual((await listJobs(running.service, ann)).jobs, []);
      // A node of a shared database is given up as lost only 20 s after its end.
      await waitUntil('the rows are removed', async () => (await countRows(running)) === 0);
      const again = await submit(running.service, ann, { text: '<p>another request' }, { key: 'k' });
      assert.equal(again.status, 202);
    },
  );

test('a job whose output exceeds the share of its account fails and says so', async () => {
  await using running = await startWithDatabase('sqlite', [...flags, '--outputs-per-account', '1kB']);
  const id = await submitted(running.service, ann, { text: '<p>x' });
  const job = await waitForEnd(running.service, ann, id);
  assert.deepEqual([job.state, job.status, job.reason, job.consumed_credits], ['failed', 429, 120, 0]);
  assert.match(
    await (await output(running.service, ann, id)).text(),
    /^429\.120 .*outputs-per-account.*DELETE \/jobs/,
  );
});
