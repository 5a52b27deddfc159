import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { connectToPostgres } from '../../../../../main/accounts/store/postgres/postgres-database.ts';
import { isUnavailable } from '../../../../../main/accounts/store/unavailable.ts';
import type { Database } from '../../../../../main/accounts/store/tables.ts';
import { locationOf } from '../../../../support/postgres/databases.ts';
import { postgresMissing, startPostgres, type PostgresServer } from '../../../../support/postgres/server.ts';
import { startTcpProxy } from '../../../../support/servers/tcp-proxy.ts';
import { waitUntil } from '../../../../support/wait-until.ts';

/** The time within which callers must get an answer, with a margin for a busy machine. */
const limitMs = 4000;

function open(url: string) {
  const changes: (string | undefined)[] = [];
  const { database, pool } = connectToPostgres({
    location: locationOf(url),
    onAvailability: (problem) => void changes.push(problem),
  });
  return { database, pool, changes, [Symbol.asyncDispose]: () => database.destroy() };
}

const query = (database: Database) => sql`SELECT 1`.execute(database);

async function isRefused(database: Database): Promise<boolean> {
  const began = performance.now();
  const problem: unknown = await query(database).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(performance.now() - began < limitMs, 'the answer came too late');
  if (problem === undefined) return false;
  assert.ok(isUnavailable(problem) && problem.retryAfter === 5);
  return true;
}

/** Checks that queries are refused while the database is away, and succeed afterwards without a new pool. */
async function checkOutage(
  { database, pool, changes }: ReturnType<typeof open>,
  { begin, end }: { begin: () => void | Promise<void>; end: () => void | Promise<void> },
): Promise<void> {
  await query(database);
  const running = sql`SELECT pg_sleep(60)`.execute(database).catch((problem: unknown) => problem);
  await begin();
  await waitUntil('queries are refused', () => isRefused(database));
  assert.ok(isUnavailable(await running), 'a running query fails too');
  await waitUntil('the pool knows it', () => pool.problem !== undefined);
  assert.doesNotMatch(String(pool.problem), /secret/);
  const began = performance.now();
  assert.ok(await isRefused(database));
  assert.ok(performance.now() - began < 100, 'later queries fail at once');
  await end();
  await waitUntil('the database is back', async () => !(await isRefused(database)));
  await Promise.all(Array.from({ length: 20 }, () => query(database)));
  assert.equal(pool.problem, undefined);
  assert.deepEqual(
    changes.map((problem) => typeof problem),
    ['string', 'undefined'],
    'one report at the beginning and one at the end',
  );
}

describe('while the database is away', { skip: postgresMissing }, () => {
  const outages: Record<string, (server: PostgresServer) => Parameters<typeof checkOutage>[1]> = {
    'because it was stopped': (server) => ({ begin: () => server.stop('fast'), end: server.start }),
    'because it crashed': (server) => ({ begin: () => server.stop('immediate'), end: server.start }),
    'because its processes are suspended': (server) => ({ begin: server.suspend, end: server.resume }),
  };
  for (const [why, outageOf] of Object.entries(outages))
    test(`${why}, queries fail in time, and succeed when it is back`, async () => {
      await using server = await startPostgres();
      await using connections = open(server.url());
      await checkOutage(connections, outageOf(server));
    });

  test('because the network swallows packets, queries fail in time, and succeed when it is back', async () => {
    await using server = await startPostgres();
    await using proxy = await startTcpProxy(server.port);
    await using connections = open(server.url().replace(`:${server.port}/`, `:${proxy.port}/`));
    await checkOutage(connections, { begin: proxy.swallow, end: proxy.forward });
  });
});

describe('an address with several hosts', { skip: postgresMissing }, () => {
  test('leads to the first host that accepts writes, and to the next one when that is gone', async () => {
    await using standby = await startPostgres({ settings: ['default_transaction_read_only = on'] });
    await using first = await startPostgres();
    await using second = await startPostgres();
    const hosts = [standby, first, second].map(({ port }) => `127.0.0.1:${port}`).join(',');
    await using connections = open(first.url().replace(`127.0.0.1:${first.port}`, hosts));
    const portInUse = async () => {
      const { rows } = await sql<{ port: number }>`SELECT inet_server_port() AS port`.execute(
        connections.database,
      );
      return rows[0]?.port;
    };
    assert.equal(await portInUse(), first.port);
    await first.stop('immediate');
    await waitUntil(
      'the second host is used',
      async () => (await portInUse().catch(() => 0)) === second.port,
    );
  });
});

test(
  'a connection is not lent again after its query failed in transit',
  { skip: postgresMissing },
  async () => {
    await using server = await startPostgres();
    await using connections = open(server.url());
    const own = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(connections.database);
    await assert.rejects(
      sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(connections.database),
      isUnavailable,
    );
    await waitUntil('another connection', async () => {
      const next = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
        .execute(connections.database)
        .catch(() => undefined);
      return next !== undefined && next.rows[0]?.pid !== own.rows[0]?.pid;
    });
  },
);

test(
  'a database that answers queries, but opens no connections for a while, is not away',
  { skip: postgresMissing },
  async () => {
    await using server = await startPostgres();
    await using proxy = await startTcpProxy(server.port);
    await using connections = open(server.url().replace(`:${server.port}/`, `:${proxy.port}/`));
    const { database, changes } = connections;
    const sleep = async (seconds: number) => await sql`SELECT pg_sleep(${seconds})`.execute(database);
    // Opens two connections.
    await Promise.all([sleep(0.2), sleep(0.2)]);
    proxy.swallowNew();
    const end = performance.now() + 3000;
    const caller = async () => {
      while (performance.now() < end) await sleep(0.05);
    };
    await Promise.all([sleep(2), caller(), caller(), caller()]);
    proxy.forward();
    await Promise.all(Array.from({ length: 4 }, () => sleep(0.2)));
    assert.deepEqual(changes, []);
  },
);
