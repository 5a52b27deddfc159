import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import express from 'express';
import pg from 'pg';
import pino from 'pino';
import { openDebugLogRecords } from '../../../../main/accounts/store/cluster/debug-log-records.ts';
import { openPostgresStore } from '../../../../main/accounts/store/postgres/postgres-database.ts';
import { openAuthentication } from '../../../../main/accounts/authentication.ts';
import { watchClosingLogs } from '../../../../main/conversion/job-log.ts';
import { failureHandler } from '../../../../main/http/response/fail.ts';
import { debugLogRoute } from '../../../../main/http/routes/debug-log-route.ts';
import { openDebugLogs, type DebugLogs } from '../../../../main/log/debug-logs.ts';
import { loadSettings } from '../../../../main/settings/load.ts';
import { migratedPostgresDatabase } from '../../../support/postgres/databases.ts';
import { postgresMissing } from '../../../support/postgres/server.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { serve } from '../serving.ts';

const hour = 3_600_000;
const unknownId = () => randomBytes(20).toString('hex');

/** Serves the debug logs of a node with its own folder. */
async function startNode() {
  const folder = mkdtempSync(join(tmpdir(), 'platen-debug-log-route-'));
  const debugLogs = await openDebugLogs(folder, hour);
  const settings = loadSettings({ flags: ['--data', folder], environment: {} });
  const app = express();
  app.get('/:id', debugLogRoute({ debugLogs, closingLogs: watchClosingLogs(), settings }));
  app.use(failureHandler({ log: pino({ level: 'silent' }), prefixes: ['service'] }));
  const served = await serve(app);
  return {
    debugLogs,
    get: (id: string, localAddress = '127.0.0.1') =>
      served.get({ accept: 'application/json' }, { path: `/${id}`, localAddress }),
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await debugLogs[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Starts a log. `end` ends it. */
function begin(debugLogs: DebugLogs) {
  const log = debugLogs.open(true, 'ann');
  const versions = { platen: '1', electron: '1', chromium: '1' };
  log.write({ kind: 'job', text: 'x', detail: { account: 'ann', received: 'now', versions } });
  assert.ok(log.id);
  return { id: log.id, end: () => log.end('converted', { outcome: 'converted' }) };
}

test('requests for unknown debug logs are limited by address, those for logs of the node are not', async () => {
  await using node = await startNode();
  const log = begin(node.debugLogs);
  await log.end();
  for (let turn = 0; turn <= 50; turn += 1) assert.equal((await node.get(unknownId())).status, 404);
  const refused = await node.get(unknownId());
  assert.equal(refused.status, 429);
  assert.match(refused.body, /^429\.120 - /);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await node.get(log.id)).status, 200);
  assert.equal((await node.get(unknownId(), '127.0.0.2')).status, 404);
});

describe('With a database that nodes share,', { skip: postgresMissing }, () => {
  test('a node reads an unknown debug log once, and waits for one that is being copied', async () => {
    await using migrated = await migratedPostgresDatabase();
    await using store = await openPostgresStore({ location: migrated.location });
    await using first = await startNode();
    await using second = await startNode();
    const records = openDebugLogRecords(store);
    first.debugLogs.useArchive(records);
    let reads = 0;
    let onRead = () => {};
    second.debugLogs.useArchive({
      ...records,
      async read(id, maxAgeMs) {
        reads += 1;
        const result = await records.read(id, maxAgeMs);
        onRead();
        return result;
      },
    });
    assert.equal((await second.get(unknownId())).status, 404);
    assert.equal(reads, 1);
    const log = begin(first.debugLogs);
    await waitUntil('the log is announced', async () => (await records.read(log.id, hour)) === 'announced');
    // The log ends after the other node has looked for it.
    onRead = () => void log.end();
    const { status, body } = await second.get(log.id);
    assert.equal(status, 200);
    assert.match(body, /"outcome":\s*"converted"/);
  });

  test('requests for unknown debug logs that the database does not answer do not delay authentication', async () => {
    await using migrated = await migratedPostgresDatabase();
    await using store = await openPostgresStore({ location: migrated.location });
    await using node = await startNode();
    const records = openDebugLogRecords(store);
    let reads = 0;
    node.debugLogs.useArchive({
      ...records,
      async read(id, maxAgeMs) {
        reads += 1;
        return await records.read(id, maxAgeMs);
      },
    });
    const { authenticate } = openAuthentication(store.database, { demo: false, remembersLogins: false });
    const addresses = Array.from({ length: 20 }, (_, index) => `127.0.0.${index + 2}`);
    await using lock = await lockDebugLogs(migrated.url);
    let answered = 0;
    const lookups = addresses.map(async (address) => {
      await node.get(unknownId(), address);
      answered += 1;
    });
    await waitUntil('all of them look for a log', () => reads === addresses.length);
    assert.equal(await authenticate('nobody', 'key'), undefined);
    assert.equal(answered, 0);
    await lock[Symbol.asyncDispose]();
    await Promise.all(lookups);
  });
});

/** Locks the table of debug logs, so that reading it waits until the result is disposed of. */
async function lockDebugLogs(url: string): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE debug_logs IN ACCESS EXCLUSIVE MODE');
  let isOpen = true;
  return {
    async [Symbol.asyncDispose]() {
      if (isOpen) await client.end();
      isOpen = false;
    },
  };
}
