/**
 * `node --import tsx test/bench/ledger/ledger-bench.ts`: compares the ledger on PostgreSQL with that on SQLite, both with synchronous
 * commits: the time to enter and charge a job with one caller, and the jobs per second with ten.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { insertAccount } from '../../../main/accounts/store/account-records.ts';
import type { Jobs } from '../../../main/accounts/jobs.ts';
import { openPostgres } from '../../../main/accounts/store/postgres/postgres-database.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import { temporaryDatabase, type DatabaseKind } from '../../support/accounts/accounts.ts';
import { openRecord, recordJob } from '../../support/accounts/ledger.ts';
import { locationOf } from '../../support/postgres/databases.ts';
import { startPostgres } from '../../support/postgres/server.ts';

const rounds = 5;
const roundMs = 2000;
const accountCount = 20;

interface OpenedLedger {
  readonly jobs: Jobs;
  readonly accounts: readonly number[];
}

async function openLedger(database: Database, kind: DatabaseKind): Promise<OpenedLedger> {
  const accounts: number[] = [];
  for (let index = 0; index < accountCount; index += 1) {
    const { id } = await insertAccount(database, { name: `account ${index}`, credits: 1e9 }, Date.now());
    accounts.push(id);
  }
  return { jobs: (await openRecord(database, kind)).jobs, accounts };
}

/** Returns the jobs per second with this number of callers at a time. */
async function throughput({ jobs, accounts }: OpenedLedger, callers: number): Promise<number> {
  const began = performance.now();
  let done = 0;
  const call = async (caller: number) => {
    for (let turn = caller; performance.now() - began < roundMs; turn += callers) {
      await recordJob(jobs, accounts[turn % accounts.length] ?? 0);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return done / ((performance.now() - began) / 1000);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? NaN;
}

async function main(): Promise<void> {
  await using server = await startPostgres({ fsync: true });
  const location = locationOf(await server.createDatabase('bench'));
  const { database: shared } = await openPostgres({ location });
  await using file = await temporaryDatabase('sqlite');
  const ledgers = {
    sqlite: await openLedger(file.database, 'sqlite'),
    postgres: await openLedger(shared, 'postgres'),
  };
  const figures = { sqlite: new Map<number, number[]>(), postgres: new Map<number, number[]>() };
  for (let round = 0; round < rounds; round += 1)
    for (const callers of [1, 10])
      for (const kind of ['sqlite', 'postgres'] as const) {
        const jobsPerSecond = await throughput(ledgers[kind], callers);
        figures[kind].set(callers, [...(figures[kind].get(callers) ?? []), jobsPerSecond]);
        await pause(100);
      }
  for (const callers of [1, 10]) {
    const [sqlite, postgres] = (['sqlite', 'postgres'] as const).map((kind) =>
      median(figures[kind].get(callers) ?? []),
    );
    console.log(
      `${callers} callers: SQLite ${sqlite?.toFixed(0)}/s, PostgreSQL ${postgres?.toFixed(0)}/s` +
        (callers === 1
          ? `; ${(1000 / (postgres ?? 1) - 1000 / (sqlite ?? 1)).toFixed(2)} ms more a job`
          : ''),
    );
  }
  await shared.destroy();
}

void main().then(() => process.exit(0));
