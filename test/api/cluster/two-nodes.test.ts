import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { basic } from '../../support/service/job-record.ts';
import { send } from '../../support/service/convert.ts';
import { startNode } from '../../support/cluster/nodes.ts';
import { openPostgres } from '../../../main/accounts/store/postgres/postgres-database.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import { locationOf } from '../../support/postgres/databases.ts';
import { postgresMissing, startPostgres, type PostgresServer } from '../../support/postgres/server.ts';
import { serveWeb } from '../../support/servers/web-server.ts';
import { quickSettings } from '../../support/service/hot-folder.ts';
import { runPlaten, temporaryFolder, type Service } from '../../support/service/service.ts';
import { waitUntil } from '../../support/wait-until.ts';

const ann = { authorization: basic('ann', 'key') };
const bob = { authorization: basic('bob', 'key') };

async function json(service: Service, path: string, { authorization } = ann): Promise<unknown> {
  return await (await fetch(`${service.url}${path}`, { headers: { authorization } })).json();
}

/** A page that answers when `release` is called, so that a job runs until then. */
async function heldPage() {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const web = await serveWeb({
    '/page': (_request, response) => {
      void released.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>late</p>'));
    },
  });
  return {
    url: `${web.url}/page`,
    flags: ['--network-allow', `127.0.0.1:${web.port}`, '--job-timeout', '10m'],
    web,
    release,
    requests: () => web.requestedPaths.length,
    [Symbol.asyncDispose]: () => web[Symbol.asyncDispose](),
  };
}

describe('Two services with one database', { skip: postgresMissing }, () => {
  let postgres: PostgresServer;
  let url: string;
  let database: Database;
  let east: Service;
  let west: Service;

  before(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase('platen');
    ({ database } = await openPostgres({ location: locationOf(url) }));
    [east, west] = await Promise.all([start('east'), start('west')]);
  });

  after(async () => {
    await Promise.all([east, west].map((service) => service[Symbol.asyncDispose]()));
    await database.destroy();
    await postgres[Symbol.asyncDispose]();
  });

  const start = (name: string, flags: readonly string[] = []) =>
    startNode(name, url, ['--accounts', 'ann:key:100,bob:key,cyd:key:5', ...flags]);

  const held = () => heldCredits(database);
  const spentBy = async (name: string) =>
    (await database.selectFrom('accounts').select('spent').where('name', '=', name).executeTakeFirstOrThrow())
      .spent;

  test('share accounts, credits, job records and debug logs', async () => {
    const first = await send(east, { text: '<p>first</p>', debug_log: true, tag: 'shared' }, ann);
    assert.equal(first.headers.get('x-service-remaining-credits'), '99');
    const second = await send(west, { text: '<p>second</p>' }, ann);
    assert.equal(second.headers.get('x-service-remaining-credits'), '98');
    const { jobs } = (await json(west, '/jobs')) as { jobs: { tag: string | null; id: string }[] };
    assert.deepEqual(
      jobs.map(({ tag, id }) => [tag, id]),
      [
        [null, second.headers.get('x-service-job-id')],
        ['shared', first.headers.get('x-service-job-id')],
      ],
    );
    const log = new URL(first.headers.get('x-service-debug-log') ?? '').pathname;
    const page = await fetch(`${west.url}${log}`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /shared/);
  });

  test('enforce the limits of an account together', async () => {
    await database.updateTable('accounts').set({ jobs_per_minute: 2 }).where('name', '=', 'bob').execute();
    const statuses: number[] = [];
    for (const service of [east, west, east, west])
      statuses.push((await send(service, { text: 'x' }, bob)).status);
    assert.deepEqual(statuses, [200, 200, 429, 429]);
    await database.updateTable('accounts').set({ jobs_per_minute: null }).where('name', '=', 'bob').execute();
  });

  test('charge an account with few credits exactly, however the jobs are distributed', async () => {
    const cyd = { authorization: basic('cyd', 'key') };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => send(index % 2 === 0 ? east : west, { text: 'x' }, cyd)),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 5);
    const row = await database
      .selectFrom('accounts')
      .selectAll()
      .where('name', '=', 'cyd')
      .executeTakeFirstOrThrow();
    assert.deepEqual([row.granted, row.spent], [5, 5]);
  });

  test('make at most four round trips to the database for a job', async () => {
    await postgres.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements', 'platen');
    const jobs = 10;
    // Logins and use times are recorded before.
    await send(east, { text: 'x' }, bob);
    await postgres.query('SELECT pg_stat_statements_reset()', 'platen');
    for (let job = 0; job < jobs; job += 1) await send(east, { text: 'x' }, bob);
    // The integer division drops the periodic queries of the services.
    const [{ trips } = { trips: 0 }] = await postgres.query<{ trips: number }>(
      `SELECT sum(calls / ${jobs})::int AS trips FROM pg_stat_statements
       WHERE toplevel AND query NOT LIKE '%nodes%' AND query NOT LIKE '%pg_stat%' AND query NOT LIKE '%released%'`,
      'platen',
    );
    assert.ok(trips >= 3 && trips <= 4, `${trips} round trips`);
  });

  test('are listed and drained with the platen command', async () => {
    const database = ['--database', url, '--data', east.data];
    const list = await runPlaten(['node', 'list', '--json', ...database]);
    assert.equal(list.code, 0, list.err);
    const nodes = JSON.parse(list.out) as { name: string; state: string }[];
    assert.deepEqual(
      nodes.map(({ name, state }) => [name, state]),
      [
        ['east', 'ready'],
        ['west', 'ready'],
      ],
    );
    const unknown = await runPlaten(['node', 'drain', 'wets', ...database]);
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /no node 'wets'; did you mean west\?/);
    const ready = async () => (await fetch(`${west.url}/ready`)).status;
    assert.equal((await runPlaten(['node', 'drain', 'west', ...database])).code, 0);
    await waitUntil('west is drained', async () => (await ready()) === 503);
    assert.equal((await runPlaten(['node', 'drain', 'west', '--undo', ...database])).code, 0);
    await waitUntil('west accepts jobs again', async () => (await ready()) === 200);
  });

  test('are upgraded one after another: the command says that both can go on', async () => {
    const { code, out } = await runPlaten(['upgrade', '--check', '--database', url, '--data', east.data]);
    assert.equal(code, 0);
    assert.match(out, /up to date/);
    assert.match(out, /node east: runs version/);
    assert.doesNotMatch(out, /secret/);
  });

  test('name their node in the metrics', async () => {
    const operator = await start('third');
    await using _third = operator;
    const text = await (await fetch(`${operator.url}/metrics`, { headers: ann })).text();
    assert.match(text, /^platen_database_up\{node="third"\} 1$/m);
  });

  test('give back what killed and suspended nodes held; a suspended one cannot charge it when it wakes up', async () => {
    await using page = await heldPage();
    const victim = await start('victim', page.flags);
    await using sleeper = await start('sleeper', page.flags);
    const before = await spentBy('ann');
    const broken = send(victim, { url: page.url }, ann).catch(() => undefined);
    const answer = send(sleeper, { url: page.url }, ann).catch(() => undefined);
    await waitUntil('both jobs run', () => page.requests() === 2);
    assert.equal(await held(), 2);
    const wakeUp = sleeper.suspend();
    await victim.kill();
    const began = performance.now();
    assert.equal(await broken, undefined);
    await waitUntil('the credits are given back', async () => (await held()) === 0, 40_000);
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds < 31, `after ${seconds} s`);
    page.release();
    wakeUp();
    const response = await answer;
    assert.notEqual(response?.status, 200, 'an uncharged output must not look complete');
    assert.equal(await spentBy('ann'), before);
    await waitUntil('it works again', async () => (await send(sleeper, { text: 'x' }, ann)).status === 200);
  });

  test('finish running conversions while the database is away, refuse others, and charge later', async () => {
    await using page = await heldPage();
    await using node = await start('patient', page.flags);
    const before = await spentBy('ann');
    const running = send(node, { url: page.url }, ann);
    await waitUntil('the job runs', () => page.requests() === 1);
    await postgres.stop('immediate');
    const asked = performance.now();
    const refused = await send(node, { text: 'x' }, ann);
    assert.deepEqual([refused.status, refused.headers.get('x-service-reason-code')], [503, '503']);
    assert.equal(refused.headers.get('retry-after'), '5');
    assert.ok(performance.now() - asked < 4000);
    const ready = await fetch(`${node.url}/ready`);
    assert.deepEqual(
      [ready.status, await ready.json()],
      [503, { status: 'not ready', reason: 'cannot reach the database' }],
    );
    page.release();
    assert.equal((await running).status, 200);
    await postgres.start();
    await waitUntil('the job is charged', async () => (await spentBy('ann')) === before + 1);
    await waitUntil('it works again', async () => (await send(node, { text: 'x' }, ann)).status === 200);
    const lines = node
      .log()
      .split('\n')
      .filter((line) => line.includes('reach') && !line.includes('"job"'));
    assert.deepEqual(
      lines.map((line) => /"msg":"(.*?)[;"]/.exec(line)?.[1]),
      ['cannot reach the database', 'the database can be reached again'],
    );
    assert.doesNotMatch(node.log(), /secret/);
  });

  test('convert the files of a hot folder on one node, and on the other within 15 s of its end', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'platen.json'), JSON.stringify(quickSettings));
    const flags = ['--hot-folders', folder];
    const first = await start('first', flags);
    const isConverted = (name: string) => () => existsSync(join(folder, name));
    writeFileSync(join(folder, 'one.html'), '<p>one</p>');
    await waitUntil('the first node converts', isConverted('one.pdf'));
    await using second = await start('second', flags);
    await waitUntil('the second node stands by', () =>
      second.log().includes('another node converts the files of this folder'),
    );
    await first.kill();
    const killed = performance.now();
    writeFileSync(join(folder, 'two.html'), '<p>two</p>');
    await waitUntil('the second node converts', isConverted('two.pdf'));
    const seconds = (performance.now() - killed) / 1000;
    assert.ok(seconds < 20, `after ${seconds} s`);
    rmSync(folder, { recursive: true });
  });
});

async function heldCredits(database: Database): Promise<number> {
  const { reserved } = await database
    .selectFrom('jobs')
    .select(({ fn }) => fn.sum<number | null>('reserved').as('reserved'))
    .where('outcome', 'is', null)
    .executeTakeFirstOrThrow();
  return reserved ?? 0;
}
