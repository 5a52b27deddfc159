/** Asynchronous jobs survive a service that ends in any way, and are charged once. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pdfText } from '../../support/output/pdf.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import {
  output,
  remove,
  submit,
  submitted,
  waitForEnd,
  waitForState,
} from '../../support/service/asynchronous-job.ts';
import { basic } from '../../support/service/job-record.ts';
import { electronOf } from '../../support/service/processes.ts';
import { startWithDatabase, type ServiceWithDatabase } from '../../support/service/service-databases.ts';

const ann = basic('ann');
const flags = ['--accounts', 'ann:key:1000', '--workers', '2', '--restart', 'off', '--job-timeout', '60'];

async function kill({ service }: ServiceWithDatabase): Promise<void> {
  const ended = new Promise((resolve) => service.process.once('exit', resolve));
  process.kill(electronOf(service), 'SIGKILL');
  await ended;
}

/** Asserts that every job is done with the right output, and that exactly their price was charged. */
async function assertExact(
  { service, database }: ServiceWithDatabase,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [id, text] of texts) {
    const job = await waitForEnd(service, ann, id);
    assert.equal(job.state, 'done', job.message ?? '');
    const response = await output(service, ann, id);
    assert.equal(pdfText(Buffer.from(await response.arrayBuffer())), text);
    assert.equal(response.headers.get('x-service-consumed-credits'), String(job.consumed_credits));
  }
  const rows = await database.selectFrom('jobs').selectAll().execute();
  assert.equal(rows.length, texts.size);
  assert.deepEqual(
    rows.filter(({ reserved, outcome }) => reserved !== 0 || outcome === null),
    [],
  );
  const { spent } = await database
    .selectFrom('accounts')
    .select('spent')
    .where('name', '=', 'ann')
    .executeTakeFirstOrThrow();
  assert.equal(
    spent,
    rows.reduce((sum, { charged }) => sum + charged, 0),
  );
  assert.equal(spent, texts.size);
}

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`With ${kind}`, { skip: kind === 'postgres' && postgresMissing }, () => {
    // A node of a shared database is given up as lost only 20 s after its end.
    const kills = kind === 'sqlite' ? 4 : 2;

    test('after SIGKILL at any moment, each accepted job ends once and is charged once', async () => {
      await using running = await startWithDatabase(kind, flags);
      const texts = new Map<string, string>();
      for (let round = 0; round < kills; round += 1) {
        const killed = pause(300 + 400 * Math.random()).then(() => kill(running));
        for (let n = 0; n < 12; n += 1) {
          const text = `round ${round} job ${n}`;
          // A job may have been accepted although its response did not arrive; its key finds it again.
          const fields = { text: `<p>${text}<script></script>`, javascript_delay: 20 * n };
          const send = () => submit(running.service, ann, fields, { key: text.replaceAll(' ', '-') });
          let response = await send().catch(() => undefined);
          if (response === undefined) {
            await killed;
            await running.restart();
            response = await send();
          }
          assert.equal(response.status, 202);
          texts.set(((await response.json()) as { id: string }).id, text);
        }
        await killed;
        if (running.service.process.exitCode !== null || running.service.process.signalCode !== null)
          await running.restart();
      }
      await assertExact(running, texts);
    });

    test('after SIGTERM, the running job has finished, and the waiting jobs run after the next start', async () => {
      await using running = await startWithDatabase(kind, [...flags, '--workers', '1']);
      const texts = new Map<string, string>();
      for (let n = 0; n < 4; n += 1) {
        const fields = { text: `<p>job ${n}<script></script>`, javascript_delay: 1500 };
        texts.set(await submitted(running.service, ann, fields), `job ${n}`);
      }
      const [first = ''] = texts.keys();
      await waitForState(running.service, ann, { id: first, states: ['running'] });
      assert.equal(await running.service.stop(), 0);
      const { outcome } = await running.database
        .selectFrom('jobs')
        .select('outcome')
        .where('id', '=', first)
        .executeTakeFirstOrThrow();
      assert.equal(outcome, 'converted');
      await running.restart();
      await assertExact(running, texts);
    });
  });

test('a job that outlasts the shutdown waits again, is no suspect, and is not charged', async () => {
  await using running = await startWithDatabase('sqlite', flags);
  const id = await submitted(running.service, ann, { text: '<script></script>', javascript_delay: 39_000 });
  await waitForState(running.service, ann, { id, states: ['running'] });
  assert.equal(await running.service.stop(), 0);
  const row = await running.database
    .selectFrom('jobs')
    .innerJoin('asynchronous_jobs', 'job_id', 'id')
    .select(['outcome', 'started_at', 'node_id', 'reserved', 'charged', 'node_losses'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const waiting = { outcome: null, started_at: null, node_id: null, reserved: 0, charged: 0, node_losses: 0 };
  assert.deepEqual({ ...row }, waiting);
  await running.restart();
  await waitForState(running.service, ann, { id, states: ['running'] });
  assert.equal((await remove(running.service, ann, id)).status, 204);
});
