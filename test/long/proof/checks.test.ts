/** The checks of the proof find each kind of contradiction. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertAccount } from '../../../main/accounts/store/account-records.ts';
import type { JobRow } from '../../../main/accounts/store/tables.ts';
import { temporaryDatabase } from '../../support/accounts/accounts.ts';
import { contradictions, type AsynchronousResult, type SynchronousResult } from './checks.ts';
import { accounts, jobOf, type ProofJob } from './jobs.ts';

const job = (token: string, giveUpAfterMs?: number): ProofJob => ({
  ...jobOf(1, { seed: 1, site: 'http://127.0.0.1' }),
  account: 'free',
  token,
  giveUpAfterMs,
});

interface Recorded {
  readonly rows: readonly Partial<JobRow>[];
  readonly spent: number;
  readonly synchronous?: readonly SynchronousResult[];
  readonly asynchronous?: readonly AsynchronousResult[];
}

async function problemsOf({
  rows,
  spent,
  synchronous = [],
  asynchronous = [],
}: Recorded): Promise<readonly string[]> {
  await using temporary = await temporaryDatabase();
  const { database } = temporary;
  for (const name of accounts) await insertAccount(database, { name }, 0);
  const { id } = await database
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', 'free')
    .executeTakeFirstOrThrow();
  await database.updateTable('accounts').set({ spent }).where('id', '=', id).execute();
  for (const [index, row] of rows.entries())
    await database
      .insertInto('jobs')
      .values({
        id: String(index),
        account_id: id,
        received_at: 0,
        outcome: 'converted',
        reserved: 0,
        charged: 0,
        ...row,
      })
      .execute();
  return await contradictions(database, { synchronous, asynchronous });
}

const delivered = { job: job('a'), isDelivered: true, credits: 2, receivedBytes: 100 };
const charged = { tag: 'a', charged: 2, output_bytes: 100 };

test('the proof accepts what was charged and received', async () => {
  const asynchronous = [{ job: job('b'), credits: 1 }];
  const rows = [charged, { tag: 'b', charged: 1 }, { tag: null }, { tag: null }];
  assert.deepEqual(await problemsOf({ rows, spent: 3, synchronous: [delivered], asynchronous }), []);
});

test('the proof accepts a charge whose answer lacks only its last byte, or whose caller disconnected', async () => {
  const cut = { ...delivered, isDelivered: false, credits: 0, receivedBytes: 99 };
  assert.deepEqual(await problemsOf({ rows: [charged], spent: 2, synchronous: [cut] }), []);
  const gone = { ...cut, job: job('a', 100), receivedBytes: 0 };
  assert.deepEqual(await problemsOf({ rows: [charged], spent: 2, synchronous: [gone] }), []);
});

for (const [what, recorded, problem] of [
  [
    'an answer that was not charged',
    { rows: [{ tag: 'a' }], spent: 0, synchronous: [delivered] },
    /0 are charged/,
  ],
  ['an answer whose job is not recorded', { rows: [], spent: 0, synchronous: [delivered] }, /no row/],
  [
    'a charge without an answer',
    {
      rows: [charged],
      spent: 2,
      synchronous: [{ ...delivered, isDelivered: false, credits: 0, receivedBytes: 10 }],
    },
    /only 10 of 100 bytes arrived/,
  ],
  [
    'a request that was sent twice',
    { rows: [charged, { tag: 'a' }], spent: 2, synchronous: [delivered] },
    /several rows/,
  ],
  [
    'a charge that is not in the balance',
    { rows: [charged], spent: 1, synchronous: [delivered] },
    /has spent 1/,
  ],
  ['credits that stay reserved', { rows: [{ tag: 'c', reserved: 1 }], spent: 0 }, /still reserves/],
  [
    'a failed job that was charged',
    { rows: [{ tag: 'c', charged: 1, outcome: 'failed' }], spent: 1 },
    /although it is failed/,
  ],
  [
    'an accepted job that is lost',
    { rows: [], spent: 0, asynchronous: [{ job: job('b'), credits: 0 }] },
    /not recorded/,
  ],
  [
    'an output that was charged twice',
    { rows: [{ tag: 'b', charged: 2 }], spent: 2, asynchronous: [{ job: job('b'), credits: 1 }] },
    /output of 1 credits, but 2/,
  ],
] as const satisfies readonly (readonly [string, Recorded, RegExp])[])
  test(`the proof finds ${what}`, async () => {
    assert.match((await problemsOf(recorded)).join('\n'), problem);
  });
