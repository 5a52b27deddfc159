import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Writable } from 'node:stream';
import pino from 'pino';
import { randomUUID } from 'node:crypto';
import { insertAccount, webhookSecretContext } from '../../../main/accounts/store/account-records.ts';
import { encryptCallback } from '../../../main/accounts/store/callback-records.ts';
import { currentTime } from '../../../main/accounts/store/dialect.ts';
import { currentEpoch, Keyring } from '../../../main/encryption/keyring.ts';
import type { CallbackRow, Database } from '../../../main/accounts/store/tables.ts';
import { CallbackSender } from '../../../main/webhook/callback-sender.ts';
import { newJobId } from '../../../main/job/job.ts';
import { setWebhookSecrets, testKeyring } from '../../support/accounts/keyring.ts';
import { describeWithDatabases, type TemporaryDatabase } from '../../support/accounts/accounts.ts';
import {
  newSecret,
  serveCallbackReceiver,
  type CallbackReceiver,
} from '../../support/servers/callback-receiver.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { resolverFor, rules } from '../network/rules.ts';

const secret = newSecret();

describeWithDatabases(({ kind, temporaryDatabase }) => {
  describe('Callbacks', () => {
    let temporary: TemporaryDatabase;
    let lines: string[] = [];
    before(async () => (temporary = await temporaryDatabase()));
    after(() => temporary[Symbol.asyncDispose]());

    const log = pino(
      { level: 'debug' },
      new Writable({
        write(line, _encoding, done) {
          lines.push(String(line));
          done();
        },
      }),
    );

    let accounts = 0;
    async function createAccount(
      webhookSecret: string | null = secret,
      keyring = testKeyring,
    ): Promise<number> {
      const name = `account${(accounts += 1)}`;
      const { id } = await insertAccount(temporary.database, { name }, Date.now());
      await temporary.database
        .updateTable('accounts')
        .set({
          webhook_secret: webhookSecret && keyring.encryptSecret(webhookSecret, webhookSecretContext(id)),
        })
        .where('id', '=', id)
        .execute();
      return id;
    }

    async function addCallback(account: number, url: string, keyring = testKeyring): Promise<string> {
      const { database } = temporary;
      const id = newJobId();
      await database
        .insertInto('jobs')
        .values({
          id,
          account_id: account,
          received_at: Date.now(),
          outcome: 'converted',
          reserved: 0,
          charged: 0,
        })
        .execute();
      await insertCallback(database, { jobId: id, account, url, keyring });
      return id;
    }

    const rowsOf = (jobId: string): Promise<CallbackRow[]> =>
      temporary.database.selectFrom('callbacks').selectAll().where('job_id', '=', jobId).execute();

    const untilRemoved = (jobId: string) =>
      waitUntil('the callback is removed', async () => (await rowsOf(jobId)).length === 0);
    const untilFailed = (jobId: string) =>
      waitUntil('an attempt fails', async () => typeof (await rowsOf(jobId))[0]?.problem === 'string');

    function openSender({ timeoutMs = 2000 } = {}): CallbackSender {
      lines = [];
      const sender = new CallbackSender({
        database: temporary.database,
        keyring: testKeyring,
        network: {
          rules: rules('intranet', { allow: '127.0.0.0/8' }),
          resolve: resolverFor({
            'receiver.example': ['127.0.0.1'],
            'metadata.example': ['169.254.169.254'],
          }),
        },
        version: '1.2.3',
        log,
        timeoutMs,
      });
      sender.begin();
      return sender;
    }

    const jobsOf = (receiver: CallbackReceiver) =>
      receiver.received.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);

    test('are delivered once, with the job, and then removed', async () => {
      await using receiver = await serveCallbackReceiver(secret);
      const job = await addCallback(await createAccount(), `${receiver.url}/hook`);
      await using _sender = openSender();
      await untilRemoved(job);
      assert.deepEqual(receiver.problems, []);
      assert.deepEqual(jobsOf(receiver), [job]);
      const sent = JSON.parse(receiver.received[0]?.body ?? '') as Record<string, unknown>;
      assert.equal(sent.type, 'job.done');
      assert.equal(new Date(String(sent.timestamp)).toISOString(), sent.timestamp);
      assert.deepEqual(Object.keys(sent), ['type', 'timestamp', 'data']);
    });

    test('that are added later are delivered immediately after wake', async () => {
      await using receiver = await serveCallbackReceiver(secret);
      await using sender = openSender();
      const account = await createAccount();
      const jobs: string[] = [];
      for (let count = 0; count < 20; count += 1) {
        jobs.push(await addCallback(account, `${receiver.url}/hook`));
        sender.wake();
      }
      await waitUntil('the callbacks arrive', () => receiver.received.length === jobs.length);
      assert.deepEqual(jobsOf(receiver).sort(), jobs.sort());
    });

    test('that fail are sent again after the pause, with the same id; success ends the attempts', async () => {
      await using receiver = await serveCallbackReceiver(secret, (response, number) => {
        response.writeHead(number === 0 ? 500 : 200).end();
      });
      const job = await addCallback(await createAccount(), `${receiver.url}/hook?key=s3cret`);
      await using sender = openSender();
      await untilFailed(job);
      const [row] = await rowsOf(job);
      assert.equal(row?.attempts, 1);
      assert.match(String(row.problem), /status 500/);
      assert.ok(row.due_at > Date.now() + 1000 && row.due_at < Date.now() + 6000, 'due in 5 s');
      await temporary.database.updateTable('callbacks').set({ due_at: 0 }).where('id', '=', row.id).execute();
      sender.wake();
      await untilRemoved(job);
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      assert.deepEqual(ids, [row.id, row.id]);
      assert.match(lines.join(''), /callback not delivered/);
      assert.doesNotMatch(lines.join(''), /s3cret|whsec_/);
    });

    test('end after ten failures, and after 410', async () => {
      await using receiver = await serveCallbackReceiver(secret, (response, number) => {
        response.writeHead(number === 10 ? 410 : 503, { 'retry-after': '0' }).end();
      });
      const account = await createAccount();
      const failing = await addCallback(account, `${receiver.url}/hook`);
      await using sender = openSender();
      for (let attempt = 1; attempt < 10; attempt += 1) {
        await waitUntil('the attempt is recorded', async () => {
          const [row] = await rowsOf(failing);
          return row?.attempts === attempt && row.due_at > Date.now() && row.problem !== null;
        });
        await waitUntil('the callbacks arrive', () => receiver.received.length === attempt);
        await waitUntil(
          'a line is logged',
          () => lines.filter((line) => line.includes('callback not delivered')).length === attempt,
        );
        await temporary.database
          .updateTable('callbacks')
          .set({ due_at: 0 })
          .where('job_id', '=', failing)
          .execute();
        sender.wake();
      }
      await untilRemoved(failing);
      assert.equal(receiver.received.length, 10);
      assert.match(lines.join(''), /callback given up after 10 attempts/);
      const gone = await addCallback(account, `${receiver.url}/hook`);
      sender.wake();
      await untilRemoved(gone);
      assert.equal(receiver.received.length, 11);
    });

    test('to an address that the policy refuses, or of an account without a secret, wait for a change', async () => {
      const refused = await addCallback(await createAccount(), 'http://metadata.example/hook');
      const unsigned = await addCallback(await createAccount(null), 'http://receiver.example/hook');
      await using _sender = openSender();
      await untilFailed(refused);
      await untilFailed(unsigned);
      assert.match(String((await rowsOf(refused))[0]?.problem), /network policy/);
      assert.doesNotMatch(String((await rowsOf(refused))[0]?.problem), /169\.254/);
      assert.match(lines.join(''), /"address":"169\.254\.169\.254"/);
      assert.match(String((await rowsOf(unsigned))[0]?.problem), /platen account webhook-secret/);
    });

    test('whose key is gone are given up, with the secrets of their accounts or without', async () => {
      const lost = Keyring.read('', Buffer.alloc(32, 'lost'), currentEpoch());
      const account = await createAccount();
      const accountWithLostSecret = await createAccount(secret, lost);
      const job = await addCallback(account, 'http://receiver.example/hook', lost);
      const other = await addCallback(accountWithLostSecret, 'http://receiver.example/hook', lost);
      await using _sender = openSender();
      await untilRemoved(job);
      await untilRemoved(other);
      assert.equal(lines.filter((line) => line.includes('the key with which it was encrypted')).length, 2);
      assert.doesNotMatch(lines.join(''), /cannot record the delivery/);
    });

    test('of other accounts do not wait for a slow receiver', async () => {
      await using slow = await serveCallbackReceiver(secret, () => {});
      await using receiver = await serveCallbackReceiver(secret);
      const slowAccount = await createAccount();
      const account = await createAccount();
      const slowJobs: string[] = [];
      for (let count = 0; count < 30; count += 1)
        slowJobs.push(await addCallback(slowAccount, `${slow.url}/hook`));
      const job = await addCallback(account, `${receiver.url}/hook`);
      await using _sender = openSender();
      await untilRemoved(job);
      await waitUntil('the slow receiver has its share', () => slow.received.length >= 4);
      assert.equal(slow.received.length, 4);
      await temporary.database.deleteFrom('jobs').where('id', 'in', slowJobs).execute();
    });

    for (const slowAccounts of [4, 16]) {
      test(`of an account do not wait for the backlog of ${slowAccounts} accounts with hanging receivers`, async () => {
        await using slow = await serveCallbackReceiver(secret, () => {});
        let slowCallsBefore = Infinity;
        await using receiver = await serveCallbackReceiver(secret, (response) => {
          slowCallsBefore = slow.received.length;
          response.end();
        });
        const slowJobs: string[] = [];
        for (let count = 0; count < slowAccounts; count += 1) {
          const slowAccount = await createAccount();
          for (let left = 80 / slowAccounts; left > 0; left -= 1)
            slowJobs.push(await addCallback(slowAccount, `${slow.url}/hook`));
        }
        await using sender = openSender({ timeoutMs: 500 });
        await waitUntil('the slow receivers have their share', () => slow.received.length >= 12);
        const job = await addCallback(await createAccount(), `${receiver.url}/hook`);
        sender.wake();
        await waitUntil('the callback arrives', () => receiver.received.length === 1);
        assert.ok(slowCallsBefore < slowJobs.length / 2, `called after ${slowCallsBefore} slow receivers`);
        assert.deepEqual(jobsOf(receiver), [job]);
        await temporary.database.deleteFrom('jobs').where('id', 'in', slowJobs).execute();
      });
    }

    test('that a node of an older version adds, without an account, are delivered', async () => {
      await using receiver = await serveCallbackReceiver(secret);
      const { database } = temporary;
      const job = await addCallback(await createAccount(), `${receiver.url}/hook`);
      const [row] = await rowsOf(job);
      assert.ok(row);
      const { account_id: account, ...olderRow } = row;
      await database.deleteFrom('callbacks').where('id', '=', row.id).execute();
      await database
        .insertInto('callbacks')
        .values(olderRow as CallbackRow)
        .execute();
      assert.equal((await rowsOf(job))[0]?.account_id, account);
      await using _sender = openSender();
      await untilRemoved(job);
      assert.deepEqual(jobsOf(receiver), [job]);
    });

    test('that a stop interrupts are due again, and the attempt does not count', async () => {
      await using silent = await serveCallbackReceiver(secret, () => {});
      const job = await addCallback(await createAccount(), `${silent.url}/hook`);
      const sender = new CallbackSender({
        database: temporary.database,
        keyring: testKeyring,
        network: { rules: rules('intranet', { allow: '127.0.0.0/8' }), resolve: resolverFor({}) },
        version: '1.2.3',
        log,
        timeoutMs: 60_000,
      });
      sender.begin();
      await waitUntil('the callbacks arrive', () => silent.received.length === 1);
      await sender[Symbol.asyncDispose]();
      const [row] = await rowsOf(job);
      assert.equal(row?.attempts, 0);
      assert.ok(row.due_at <= Date.now() + 100);
    });
  });

  if (kind !== 'postgres') return;
  test('Two nodes deliver each callback once', async () => {
    await using temporary = await temporaryDatabase();
    await using receiver = await serveCallbackReceiver(secret, (response) => {
      setTimeout(() => response.writeHead(200).end(), 5);
    });
    const { id: account } = await insertAccount(temporary.database, { name: 'ann' }, Date.now());
    await setWebhookSecrets(temporary.database, secret);
    const jobs = Array.from({ length: 200 }, () => newJobId());
    for (const id of jobs) {
      await temporary.database
        .insertInto('jobs')
        .values({
          id,
          account_id: account,
          received_at: Date.now(),
          outcome: 'converted',
          reserved: 0,
          charged: 0,
        })
        .execute();
      await insertCallback(temporary.database, { jobId: id, account, url: `${receiver.url}/hook` });
    }
    const databases = [await temporary.open(), await temporary.open()];
    const senders = databases.map((database) => {
      const network = { rules: rules('intranet', { allow: '127.0.0.0/8' }), resolve: resolverFor({}) };
      const log = pino({ level: 'silent' });
      return new CallbackSender({ database, keyring: testKeyring, network, version: '1.2.3', log });
    });
    for (const sender of senders) sender.begin();
    await waitUntil('all callbacks are removed', async () => {
      const rows = await temporary.database.selectFrom('callbacks').select('id').execute();
      return rows.length === 0;
    });
    for (const sender of senders) await sender[Symbol.asyncDispose]();
    for (const database of databases) await database.destroy();
    const sent = receiver.received.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
    assert.deepEqual(sent.sort(), jobs.sort());
  });
});

/** Adds a callback that is due, as the end of a job does. */
async function insertCallback(
  database: Database,
  {
    jobId,
    account,
    url,
    keyring = testKeyring,
  }: { jobId: string; account: number; url: string; keyring?: Keyring },
): Promise<void> {
  const body = JSON.stringify({ type: 'job.done', timestamp: new Date().toISOString(), data: { id: jobId } });
  const id = `msg_${randomUUID()}`;
  const row = { id, job_id: jobId, account_id: account, ...encryptCallback(keyring, id, { url, body }) };
  await database
    .insertInto('callbacks')
    .values({ ...row, due_at: currentTime(database) })
    .execute();
}
