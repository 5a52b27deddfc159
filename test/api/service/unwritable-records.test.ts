import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { databasePath } from '../../../main/accounts/store/sqlite/sqlite-database.ts';
import { lockDatabase } from '../../support/accounts/accounts.ts';
import { htmlFile, send } from '../../support/service/convert.ts';
import { readExposition } from '../../support/service/exposition.ts';
import { basic, get, listJobs, waitForJobs, openServiceDatabase } from '../../support/service/job-record.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { openSlowReader } from '../../support/servers/slow-reader.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

describe('A job whose record or files cannot be written', () => {
  let service: Service;
  before(async () => {
    service = await startService({
      flags: ['--network-allow', '127.0.0.1', '--accounts', 'boss:key,ann:key:100,bob:key:100,zoe:key:1'],
    });
    await using record = await openServiceDatabase(service);
    await record.book.change('boss', { operator: true });
  });
  after(() => service[Symbol.asyncDispose]());
  const as = (user: string) => ({ authorization: basic(user) });

  test('counts as failed in its record, debug log and the metrics if it cannot be charged, and its response is aborted', async () => {
    const { socket, head } = await openSlowReader(service, basic('ann'), { debug_log: 'true' });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    {
      using _lock = lockDatabase(databasePath(service.data));
      socket.resume();
      await closed;
    }
    const [job] = await waitForJobs(service, basic('ann'), ([first]) => first?.outcome !== null);
    assert.deepEqual([job?.outcome, job?.status, job?.reason], ['failed', 500, 500]);
    const link = /x-service-debug-log: (\S+)/i.exec(head)?.[1] ?? '';
    const { outcome } = (await (await fetch(`${link}.json`)).json()) as { outcome: unknown };
    assert.equal(outcome, 'failed');
    const metrics = readExposition(await (await get(service, '/metrics', basic('boss'))).text());
    const counted = (labels: object) => metrics.sum('platen_jobs_total', { account: 'ann', ...labels });
    assert.deepEqual([counted({}), counted({ outcome: 'failed', reason: '500' })], [1, 1]);
    const next = await send(service, { text: 'x' }, as('ann'));
    assert.equal(next.headers.get('x-service-remaining-credits'), '99');
  });

  test('gets its normal response if its record cannot be written, and releases its credits', async () => {
    let breakOff = () => {};
    const gate = new Promise<void>((resolve) => (breakOff = resolve));
    await using site = await serveWeb({ '/': (_, page) => void gate.then(() => page.destroy()) });
    const failing = send(service, { url: site.url, tag: 'failing' }, as('zoe'));
    await waitForJobs(service, basic('zoe'), ([job]) => job?.tag === 'failing');
    {
      using _lock = lockDatabase(databasePath(service.data));
      breakOff();
      assert.match((await failing).body.toString(), /^4\d\d\.\d+ - .*could not be loaded/);
      const refused = await send(service, { text: 'x' }, as('zoe'));
      assert.match(refused.body.toString(), /^503\.503 - The service cannot write to its record of jobs/);
      assert.equal(refused.headers.get('retry-after'), '5');
      const ready = await fetch(`${service.url}/ready`);
      assert.deepEqual(
        [ready.status, await ready.json()],
        [503, { status: 'not ready', reason: 'cannot write to the record of jobs' }],
      );
    }
    const [job] = await waitForJobs(service, basic('zoe'), ([first]) => first?.outcome !== null);
    assert.equal(`${job?.status}.${job?.reason} - ${job?.message}`, (await failing).body.toString());
    assert.equal((await send(service, { text: 'x' }, as('zoe'))).status, 200);
  });

  test('is recorded with the error that its client received', async () => {
    const work = join(service.data, 'work');
    rmSync(work, { recursive: true });
    writeFileSync(work, 'no folder');
    const short = await send(service, { file: htmlFile('<p>x') }, as('bob'));
    const long = await send(service, { text: 'x'.repeat(3_000_000) }, as('bob'));
    rmSync(work);
    mkdirSync(work);
    for (const { body } of [short, long])
      assert.match(body.toString(), /^503\.503 - The service cannot write or open its files/);
    const { jobs } = await listJobs(service, basic('bob'));
    assert.deepEqual(
      jobs.map(({ outcome, status, reason }) => [outcome, status, reason]),
      [
        ['failed', 503, 503],
        ['failed', 503, 503],
      ],
    );
  });
});
