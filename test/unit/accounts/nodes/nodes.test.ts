import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { takeLease } from '../../../../main/accounts/nodes/leases.ts';
import { releaseLostNodes } from '../../../../main/accounts/nodes/node-jobs.ts';
import { listNodes, setDraining } from '../../../../main/accounts/nodes/node-records.ts';
import { ThisNode } from '../../../../main/accounts/nodes/this-node.ts';
import type { Database } from '../../../../main/accounts/store/tables.ts';
import { describeWithDatabases } from '../../../support/accounts/accounts.ts';
import { convertedResult, temporaryLedger } from '../../../support/accounts/ledger.ts';
import { postgresMissing } from '../../../support/postgres/server.ts';

/** Lets a node or all leases look as if this time had passed since the last heartbeat. */
async function age(database: Database, milliseconds: number): Promise<void> {
  await database
    .updateTable('nodes')
    .set((eb) => ({ seen_at: eb('seen_at', '-', milliseconds) }))
    .execute();
  await database
    .updateTable('leases')
    .set((eb) => ({ expires_at: eb('expires_at', '-', milliseconds) }))
    .execute();
}

const description = { version: '0.1.0', windows: 2 };

function register(database: Database, name: string): Promise<ThisNode> {
  return ThisNode.register({
    database,
    isShared: true,
    description: { ...description, name },
    report(problem) {
      throw problem;
    },
  });
}

describeWithDatabases(({ kind }) => {
  describe('a node that was silent for too long', () => {
    test('gives back its jobs and credits, and cannot charge them when it wakes up', async () => {
      await using ledger = await temporaryLedger(kind);
      const { database } = ledger;
      const ann = await ledger.account({ name: 'ann', credits: 10 });
      const entry = await ledger.begin(ann);
      await entry.hold(7, convertedResult);
      await age(database, 21_000);
      await using other = await register(database, 'other');
      assert.deepEqual(await releaseLostNodes(database, other.id), ['test']);
      const { outcome, reserved, message } = await ledger.jobRow(entry.id);
      assert.deepEqual([outcome, reserved], ['interrupted', 0]);
      assert.match(message ?? '', /ended before the job/);
      await assert.rejects(
        entry.charge({}, () => assert.fail('acknowledged')),
        /has already ended/,
      );
      assert.equal((await ledger.accountRow(ann)).spent, 0);
    });

    test('lets its asynchronous jobs wait for another node', async () => {
      await using ledger = await temporaryLedger(kind);
      const { database } = ledger;
      const ann = await ledger.account({ name: 'ann', credits: 10 });
      const { id } = await ledger.begin(ann);
      await database
        .insertInto('asynchronous_jobs')
        .values({ job_id: id, account_id: ann, priority: 1, request: '{}', available_at: 0, keep_ms: 1000 })
        .execute();
      await age(database, 21_000);
      await using other = await register(database, 'other');
      await releaseLostNodes(database, other.id);
      const job = await ledger.jobRow(id);
      assert.deepEqual([job.outcome, job.started_at, job.node_id, job.reserved], [null, null, null, 0]);
      const { node_losses } = await database
        .selectFrom('asynchronous_jobs')
        .select('node_losses')
        .executeTakeFirstOrThrow();
      assert.equal(node_losses, 1);
    });

    test('is not given up before 20 seconds', async () => {
      await using ledger = await temporaryLedger(kind);
      const ann = await ledger.account({ name: 'ann', credits: 10 });
      const entry = await ledger.begin(ann);
      await age(ledger.database, 15_000);
      await using other = await register(ledger.database, 'other');
      assert.deepEqual(await releaseLostNodes(ledger.database, other.id), []);
      await entry.charge({}, () => {});
      assert.equal((await ledger.accountRow(ann)).spent, 1);
    });
  });

  test('a lease belongs to one node until it ends, and then to the next one that asks', async () => {
    await using ledger = await temporaryLedger(kind);
    const { database } = ledger;
    assert.equal(await takeLease(database, 'folder', 'a'), true);
    assert.equal(await takeLease(database, 'folder', 'b'), false);
    assert.equal(await takeLease(database, 'folder', 'a'), true, 'renewed');
    assert.equal(await takeLease(database, 'other folder', 'b'), true);
    await age(database, 11_000);
    assert.equal(await takeLease(database, 'folder', 'b'), true);
    assert.equal(await takeLease(database, 'folder', 'a'), false);
  });
});

describe('a node of a shared database', { skip: postgresMissing }, () => {
  test('registers again under another id if it was given up meanwhile', async () => {
    await using ledger = await temporaryLedger('postgres');
    await using node = await register(ledger.database, 'sleepy');
    const { id } = node;
    await ledger.database.deleteFrom('nodes').where('id', '=', id).execute();
    await node.beat();
    assert.notEqual(node.id, id);
    assert.ok((await listNodes(ledger.database)).some((row) => row.id === node.id && row.name === 'sleepy'));
  });

  test('is drained by name, reports its state, and takes no lease meanwhile', async () => {
    await using ledger = await temporaryLedger('postgres');
    const { database } = ledger;
    await using node = await register(database, 'west');
    node.reportState(() => ({ running: 3, problem: 'paused by the operator' }));
    assert.equal(await setDraining(database, 'west', true), 1);
    assert.equal(await setDraining(database, 'east', true), 0);
    await node.beat();
    const row = (await listNodes(database)).find(({ name }) => name === 'west');
    assert.deepEqual(
      [row?.running, row?.problem, row?.draining, row?.windows],
      [3, 'paused by the operator', 1, 2],
    );
    assert.equal(node.isDraining, true);
    assert.equal(await node.takeLease('folder'), false);
    await setDraining(database, 'west', false);
    await node.beat();
    assert.equal(await node.takeLease('folder'), true);
  });

  test('disappears when it stops', async () => {
    await using ledger = await temporaryLedger('postgres');
    {
      await using _node = await register(ledger.database, 'short');
    }
    assert.ok(!(await listNodes(ledger.database)).some(({ name }) => name === 'short'));
  });
});
