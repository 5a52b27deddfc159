/**
 * An asynchronous job that ends or hangs the process that converts it fails alone, after one restart of the service
 * (docs/decisions/0064-suspects.md). The poisonous page announces itself to a server of the test, which then sends a signal to the
 * process that made the request, each time.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pdfText } from '../../support/output/pdf.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { serveWeb } from '../../support/servers/web-server.ts';
import { output, readJob, remove, submitted, waitForEnd } from '../../support/service/asynchronous-job.ts';
import { readExposition } from '../../support/service/exposition.ts';
import { basic, get } from '../../support/service/job-record.ts';
import { waitForEmptyGroup } from '../../support/service/process-group.ts';
import { descendants, electronOf, ownerOfPort } from '../../support/service/processes.ts';
import { startWithDatabase, type ServiceWithDatabase } from '../../support/service/service-databases.ts';
import { listeningUrls, waitForListening, waitForLogLine } from '../../support/service/wait-for-log.ts';
import { waitUntil } from '../../support/wait-until.ts';

const ann = basic('ann');
const flags = [
  '--accounts',
  'ann:key:1000,bob:key:1000,cyd:key:1000',
  '--workers',
  '3',
  '--network-allow',
  '127.0.0.1',
];

/**
 * Serves `/poison`, which sends the signal to the process that asks for it, and `/held`, which answers only after the first such
 * signal, so that its pages are being converted at that moment.
 */
async function servePoison(signal: NodeJS.Signals) {
  const struck: number[] = [];
  let onStrike: () => void = () => {};
  const firstStrike = new Promise<void>((resolve) => (onStrike = resolve));
  const web = await serveWeb({
    '/poison': ({ socket }) => {
      const owner = ownerOfPort(socket.remotePort ?? 0);
      struck.push(owner);
      process.kill(owner, signal);
      onStrike();
    },
    '/held': (_request, response) => {
      void firstStrike.then(() => response.writeHead(404).end());
    },
  });
  return {
    url: web.url,
    /** The ids of the processes that got the signal. */
    struck,
    waitForHeld: (count: number) =>
      waitUntil(
        `${count} pages are held`,
        () => web.requestedPaths.filter((path) => path === '/held').length >= count,
      ),
    [Symbol.asyncDispose]: () => web[Symbol.asyncDispose](),
  };
}

function page(text: string, url: string): { readonly text: string } {
  return { text: `<p>${text}<img src="${url}">` };
}

/** Asserts that all jobs of the account are done and charged once. */
async function assertDone(
  { service, database }: ServiceWithDatabase,
  [account, texts]: readonly [account: string, texts: ReadonlyMap<string, string>],
): Promise<void> {
  for (const [id, text] of texts) {
    const job = await waitForEnd(service, basic(account), id);
    assert.deepEqual([job.state, job.consumed_credits], ['done', 1], job.message ?? '');
    assert.equal(pdfText(Buffer.from(await (await output(service, basic(account), id)).arrayBuffer())), text);
  }
  const { spent } = await database
    .selectFrom('accounts')
    .select('spent')
    .where('name', '=', account)
    .executeTakeFirstOrThrow();
  assert.equal(spent, texts.size);
}

/** Asserts that only the service itself runs, and that no file of a job is left. */
async function assertNothingLeft({ service, database }: ServiceWithDatabase): Promise<void> {
  await waitUntil('the separate process has ended', () => separateProcesses(service).length === 0);
  await waitUntil('no file of a job is left', () => readdirSync(join(service.data, 'work')).length === 0);
  const { reserved } = await database
    .selectFrom('jobs')
    .select(({ fn }) => fn.sum<number>('reserved').as('reserved'))
    .executeTakeFirstOrThrow();
  assert.equal(reserved, 0);
}

/** Returns the command lines of the processes that run with a profile of their own. */
function separateProcesses(service: ServiceWithDatabase['service']): readonly string[] {
  return descendants(service.process.pid ?? 0).filter((command) => command.includes('-isolated/browser'));
}

for (const kind of ['sqlite', 'postgres'] as const)
  for (const signal of ['SIGKILL', 'SIGSTOP'] as const)
    describe(
      `A job that ${signal === 'SIGKILL' ? 'ends' : 'hangs'} its process, with ${kind}`,
      { skip: process.platform !== 'linux' || (kind === 'postgres' && postgresMissing) },
      () => {
        test('fails alone after one restart; jobs beside it end right', async () => {
          await using running = await startWithDatabase(kind, [...flags, '--hang-timeout', '8s']);
          const { service, database } = running;
          await using poison = await servePoison(signal);
          const beside = { bob: new Map<string, string>(), cyd: new Map<string, string>() };
          const add = async (account: 'bob' | 'cyd', text: string, path: string) => {
            const fields = page(text, `${poison.url}${path}`);
            beside[account].set(await submitted(service, basic(account), fields), text);
          };
          await add('bob', 'bob 1', '/held');
          await add('cyd', 'cyd 1', '/held');
          await poison.waitForHeld(2);
          // Submitted before the poison, which may end the service before the next response.
          for (let n = 2; n < 5; n += 1) await add('bob', `bob ${n}`, '/none');
          const guilty = await submitted(service, ann, page('poison', `${poison.url}/poison`));
          await waitForListening(service, 2);

          const job = await waitForEnd(service, ann, guilty);
          assert.deepEqual(
            [job.state, job.status, job.reason, job.consumed_credits],
            ['failed', 500, 500, 0],
          );
          assert.match(job.message ?? '', /ended or stopped the process that converted it/);
          assert.match(
            await (await output(service, ann, guilty)).text(),
            /^500\.500 - This document ended or stopped/,
          );
          await assertDone(running, ['bob', beside.bob]);
          await assertDone(running, ['cyd', beside.cyd]);
          assert.equal(listeningUrls(service).length, 2);
          assert.equal(new Set(poison.struck).size, 2);
          await waitForLogLine(service, ({ job: id, why }) => id === guilty && why !== undefined);
          for (const pid of poison.struck) await waitForEmptyGroup(pid);
          await assertNothingLeft(running);
          const losses = await database
            .selectFrom('asynchronous_jobs')
            .select(['job_id', 'node_losses'])
            .execute();
          const suspects = losses.filter(({ node_losses }) => node_losses > 0).map(({ job_id }) => job_id);
          const [bob1 = ''] = beside.bob.keys();
          const [cyd1 = ''] = beside.cyd.keys();
          assert.deepEqual(suspects.sort(), [guilty, bob1, cyd1].sort());
          const counted = async (account: string) =>
            readExposition(await (await get(service, '/metrics', basic(account))).text()).sum(
              'platen_jobs_total',
              {
                account,
              },
            );
          // The other jobs of bob may have ended before the restart, which begins to count again.
          assert.ok((await counted('bob')) >= 1);
          assert.deepEqual([await counted('ann'), await counted('cyd')], [1, 1]);
        });
      },
    );

describe('A suspect', { skip: process.platform !== 'linux' }, () => {
  /** Serves `/gate`, which answers only the requests after the first `closed` ones. */
  const serveGate = (closed: number) => {
    let requests = 0;
    return serveWeb({
      '/gate': (_request, response) => {
        requests += 1;
        if (requests > closed) response.writeHead(404).end();
      },
    });
  };

  test('stops its batch if it is guilty: rows that have not begun do not run', async () => {
    await using running = await startWithDatabase('sqlite', flags);
    const { service } = running;
    await using poison = await servePoison('SIGKILL');
    const paths = ['held', 'held', 'poison', ...Array.from({ length: 9 }, () => 'none')];
    const rows = new File([paths.map((path) => JSON.stringify({ path })).join('\n')], 'rows.jsonl');
    const batch = await submitted(service, ann, {
      text: `<p>{{path}}<img src="${poison.url}/{{path}}">`,
      rows,
    });
    const beside = await submitted(service, basic('bob'), page('beside', `${poison.url}/none`));
    await waitForListening(service, 2);
    const job = await waitForEnd(service, ann, batch);
    assert.deepEqual(job.progress, { rows: 12, done: 2, failed: 10, canceled: 0 });
    assert.deepEqual([job.state, job.consumed_credits], ['done', 2]);
    const [guilty, ...stopped] = job.failures ?? [];
    assert.equal(guilty?.row, 3);
    assert.match(guilty.message ?? '', /This document ended or stopped the process/);
    assert.equal(stopped.length, 9);
    for (const { status, message } of stopped) {
      assert.equal(status, 500);
      assert.match(message ?? '', /row 3 ended or stopped the process/);
    }
    await assertDone(running, ['bob', new Map([[beside, 'beside']])]);
    assert.deepEqual([listeningUrls(service).length, poison.struck.length], [2, 2]);
    await assertNothingLeft(running);
  });

  test('that runs apart while the service dies again is innocent, and is charged once', async () => {
    await using running = await startWithDatabase('sqlite', flags);
    const { service, database } = running;
    await using web = await serveGate(2);
    const id = await submitted(service, ann, { ...page('long', `${web.url}/gate`), debug_log: true });
    for (let kills = 1; kills <= 2; kills += 1) {
      await waitUntil('the page is loading', () => web.requestedPaths.length === kills);
      const electron = electronOf(service);
      process.kill(electron, 'SIGKILL');
      await waitForListening(service, kills + 1);
      await waitForEmptyGroup(electron);
    }
    await assertDone(running, ['ann', new Map([[id, 'long']])]);
    await assertNothingLeft(running);
    const { node_losses } = await database
      .selectFrom('asynchronous_jobs')
      .select('node_losses')
      .executeTakeFirstOrThrow();
    assert.equal(node_losses, 2);
    const { debug_log: log } = await readJob(service, ann, id);
    assert.match(await (await fetch(`${log}.json`)).text(), /"converted"/);
  });

  test('that is canceled ends its process', async () => {
    await using running = await startWithDatabase('sqlite', flags);
    const { service } = running;
    await using web = await serveGate(2);
    const id = await submitted(service, ann, page('long', `${web.url}/gate`));
    await waitUntil('the page is loading', () => web.requestedPaths.length === 1);
    process.kill(electronOf(service), 'SIGKILL');
    await waitUntil('the page is loading apart', () => web.requestedPaths.length === 2);
    assert.ok(separateProcesses(service).length > 0);
    assert.equal((await remove(service, ann, id)).status, 204);
    await assertNothingLeft(running);
    assert.equal((await readJob(service, ann, id)).state, 'canceled');
    assert.equal(listeningUrls(service).length, 2);
  });

  test('that outlasts the shutdown waits again', async () => {
    await using running = await startWithDatabase('sqlite', flags);
    const { service, database } = running;
    await using web = await serveGate(0);
    const { text } = page('long', `${web.url}/gate`);
    const fields = { text: `${text}<script></script>`, javascript_delay: 39_000 };
    const id = await submitted(service, ann, fields);
    await waitUntil('the page is loading', () => web.requestedPaths.length === 1);
    process.kill(electronOf(service), 'SIGKILL');
    await waitUntil('the page is loading apart', () => web.requestedPaths.length === 2);
    assert.equal(await service.stop(), 0);
    const row = await database
      .selectFrom('jobs')
      .innerJoin('asynchronous_jobs', 'job_id', 'id')
      .select(['outcome', 'started_at', 'reserved', 'node_losses'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual({ ...row }, { outcome: null, started_at: null, reserved: 0, node_losses: 1 });
    const next = await running.restart();
    await waitUntil('the page is loading apart again', () => web.requestedPaths.length === 3);
    assert.ok(separateProcesses(next).length > 0);
    assert.equal((await remove(next, ann, id)).status, 204);
    await assertNothingLeft(running);
  });
});
