import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertNode, recordHeartbeat } from '../../../main/accounts/nodes/node-records.ts';
import { nodeCalls } from '../../../main/console/node-calls.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';

const operator = { id: 1, name: 'boss', operator: true, debugLog: false };

async function callsOn(database: Database, isShared = true) {
  for (const id of ['a', 'b'])
    await insertNode(database, { id, name: `node-${id}`, version: '1.2.3', windows: 4 });
  const logLines: object[] = [];
  const log = { info: (facts: object) => logLines.push(facts) };
  return {
    logLines,
    calls: nodeCalls({ store: { database, isShared }, node: { id: 'b' }, log: log as never }),
  };
}

describeWithDatabases(({ temporaryDatabase }) => {
  test('nodes lists each node with its last heartbeat, and marks the one that answers', async () => {
    await using temporary = await temporaryDatabase();
    const { calls } = await callsOn(temporary.database);
    await recordHeartbeat(temporary.database, 'a', { running: 3, problem: 'the queue is full' });
    const [first, second] = await calls.nodes({}, operator);
    assert.ok(first && second);
    assert.deepEqual(
      [first.name, first.running, first.problem, first.isThis, first.silentMs],
      ['node-a', 3, 'the queue is full', false, undefined],
    );
    assert.deepEqual(
      [second.isThis, second.windows, second.version, 'problem' in second],
      [true, 4, '1.2.3', false],
    );
  });

  test('a node that has sent no heartbeat for ten seconds is silent', async () => {
    await using temporary = await temporaryDatabase();
    const { calls } = await callsOn(temporary.database);
    await temporary.database
      .updateTable('nodes')
      .set(({ eb }) => ({ seen_at: eb('seen_at', '-', 11_000) }))
      .where('id', '=', 'a')
      .execute();
    const [first, second] = await calls.nodes({}, operator);
    assert.ok(Number(first?.silentMs) >= 11_000);
    assert.equal(second?.silentMs, undefined);
  });

  test('drainNode drains a node and undoes it, and the log names the operator', async () => {
    await using temporary = await temporaryDatabase();
    const { calls, logLines } = await callsOn(temporary.database);
    await calls.drainNode({ name: 'node-a', isDraining: true }, operator);
    const draining = async () => (await calls.nodes({}, operator)).map(({ isDraining }) => isDraining);
    assert.deepEqual(await draining(), [true, false]);
    await calls.drainNode({ name: 'node-a', isDraining: false }, operator);
    assert.deepEqual(await draining(), [false, false]);
    assert.deepEqual(logLines, Array(2).fill({ by: 'boss', node: 'node-a' }));
  });

  test('drainNode fails for an unknown node, and if the database is not shared', async () => {
    await using temporary = await temporaryDatabase();
    const { calls } = await callsOn(temporary.database);
    await assert.rejects(
      calls.drainNode({ name: 'node-x', isDraining: true }, operator),
      /There is no node 'node-x'/,
    );
    const alone = nodeCalls({
      store: { database: temporary.database, isShared: false },
      node: { id: 'b' },
      log: { info() {} } as never,
    });
    assert.deepEqual(await alone.nodes({}, operator), []);
    await assert.rejects(alone.drainNode({ name: 'node-a', isDraining: true }, operator), /nothing to drain/);
  });
});
