import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { Failure } from '../../../../main/failure/failure.ts';
import { convertedResult, temporaryLedger, type TestLedger } from '../../../support/accounts/ledger.ts';

const refusedForNow = (cause: RegExp) => (problem: unknown) =>
  problem instanceof Failure &&
  `${problem.status}.${problem.reason}` === '503.503' &&
  problem.retryAfter === 5 &&
  problem.message.includes('cannot write to its record of jobs') &&
  cause.test(String(problem.cause));

test('a job fails with 503 if another process keeps the database locked, without blocking the event loop', async () => {
  await using ledger = await temporaryLedger();
  const ann = await ledger.account({ name: 'ann', credits: 5 });
  using _lock = ledger.lock();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await assert.rejects(ledger.begin(ann), refusedForNow(/database is locked/));
  delay.disable();
  assert.ok(delay.max / 1e6 < 1000, `the event loop was blocked for ${delay.max / 1e6} ms`);
});

test('each write of a job waits for a lock of another process, and the job is charged once', async () => {
  await using ledger = await temporaryLedger();
  const ann = await ledger.account({ name: 'ann', credits: 5 });
  const entry = await whileLocked(ledger, () => ledger.begin(ann));
  await whileLocked(ledger, () => entry.describe({ ...nothing, tag: 'bill' }));
  await whileLocked(ledger, () => entry.hold(3, convertedResult));
  let acknowledged = 0;
  await whileLocked(ledger, () => entry.charge({}, () => void (acknowledged += 1)));
  const { spent } = await ledger.accountRow(ann);
  const { tag, outcome, charged } = await ledger.jobRow(entry.id);
  assert.deepEqual([acknowledged, spent, tag, outcome, charged], [1, 3, 'bill', 'converted', 3]);
});

test('a job fails with 503 if the disk is full', async () => {
  await using ledger = await temporaryLedger();
  const ann = await ledger.account({ name: 'ann' });
  const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(ledger.database);
  await sql.raw(`PRAGMA max_page_count = ${rows[0]?.page_count}`).execute(ledger.database);
  const fill = async () => {
    for (let job = 0; job < 1000; job += 1) await ledger.begin(ann);
  };
  await assert.rejects(fill(), refusedForNow(/disk is full/));
});

const nothing = {
  tag: null,
  input: null,
  output_format: null,
  parameters: null,
  input_bytes: null,
  debug_log: null,
};

/**
 * Runs the work while the database is locked. Releases the lock after the first attempt, because the retry delay is longer than ten
 * event-loop turns.
 */
async function whileLocked<T>(ledger: TestLedger, work: () => Promise<T>): Promise<T> {
  let working: Promise<T>;
  {
    using _lock = ledger.lock();
    working = work();
    for (let n = 0; n < 10; n += 1) await turn();
  }
  return await working;
}
