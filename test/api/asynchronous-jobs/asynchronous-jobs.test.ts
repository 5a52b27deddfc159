import assert from 'node:assert/strict';
import { decryptCallback } from '../../../main/accounts/store/callback-records.ts';
import { setWebhookSecrets } from '../../support/accounts/keyring.ts';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { postgresMissing } from '../../support/postgres/server.ts';
import {
  output,
  readJob,
  remove,
  submit,
  submitted,
  waitForEnd,
  waitForState,
} from '../../support/service/asynchronous-job.ts';
import { htmlFile, send, type Fields } from '../../support/service/convert.ts';
import { basic, get, listJobs } from '../../support/service/job-record.ts';
import type { Service } from '../../support/service/service.ts';
import { startWithDatabase, type ServiceWithDatabase } from '../../support/service/service-databases.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { serveWeb } from '../../support/servers/web-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

const ann = basic('ann');
const bob = basic('bob');
const slow = { text: '<script></script>', javascript_delay: 10_000 };
const accounts = 'ann:key:100,bob:key,boss:key,none:key:1,one:key,hook:key';

/** Headers whose values differ between two calls. */
const varying = ['date', 'x-service-job-id', 'x-service-remaining-credits', 'connection', 'keep-alive'];

function lasting(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !varying.includes(name)));
}

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`Asynchronous jobs with ${kind}`, { skip: kind === 'postgres' && postgresMissing }, () => {
    let running: ServiceWithDatabase;
    let service: Service;
    before(async () => {
      running = await startWithDatabase(kind, [
        '--accounts',
        accounts,
        '--workers',
        '1',
        '--network-allow',
        '127.0.0.1',
        '--output-keep',
        '1h',
        '--job-timeout',
        '40',
      ]);
      service = running.service;
      await running.book.change('boss', { operator: true });
      await running.book.change('one', { jobsAtOnce: 1 });
    });
    after(() => running[Symbol.asyncDispose]());

    test('the output has the bytes and the headers of the synchronous call', async () => {
      const fields: Fields = {
        file: htmlFile('<title>T</title><p>Grüße', 'Brief.html'),
        creation_date: '2026-11-26',
        page_size: 'A5',
        output_name: 'Grüße.pdf',
        content_disposition: 'inline',
        no_margins: true,
        zip_main_filename: 'a.html',
      };
      const accepted = await submit(service, ann, fields);
      const { id, state } = (await accepted.json()) as { id: string; state: string };
      assert.deepEqual([accepted.status, state], [202, 'queued']);
      assert.equal(accepted.headers.get('location'), `/jobs/${id}`);
      assert.equal(accepted.headers.get('x-service-job-id'), id);
      const job = await waitForEnd(service, ann, id);
      const synchronous = await send(service, fields, { authorization: ann });
      const response = await output(service, ann, id);
      assert.equal(response.status, 200);
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.ok(bytes.equals(synchronous.body));
      assert.deepEqual(lasting(response.headers), lasting(synchronous.headers));
      assert.equal(response.headers.get('x-service-job-id'), id);
      assert.equal(response.headers.get('x-service-remaining-credits'), '99');
      assert.deepEqual(
        [job.state, job.outcome, job.consumed_credits, job.priority, job.keep, job.pages],
        ['done', 'converted', 1, 'batch', 3600, 1],
      );
      const head = await fetch(`${service.url}/jobs/${id}/output`, {
        method: 'HEAD',
        headers: { authorization: ann },
      });
      assert.equal(head.headers.get('content-length'), String(bytes.length));
      assert.equal((await head.arrayBuffer()).byteLength, 0);
    });

    test('a failed job answers with the status and the body of the synchronous call', async () => {
      const fields = { text: '<p>x', element_to_convert: '#missing' };
      const id = await submitted(service, bob, fields);
      const job = await waitForEnd(service, bob, id);
      assert.deepEqual([job.state, job.status, job.reason], ['failed', 400, 324]);
      const synchronous = await send(service, fields, { authorization: bob });
      for (const query of ['', '?errfmt=json']) {
        const response = await get(service, `/jobs/${id}/output${query}`, bob);
        const expected =
          query === '' ? synchronous : await send(service, fields, { query, authorization: bob });
        assert.equal(await response.text(), expected.body.toString());
        assert.equal(response.status, 400);
        const {
          'x-service-notes': _,
          'x-service-note-codes': _codes,
          ...expectedHeaders
        } = lasting(expected.headers);
        assert.deepEqual(lasting(response.headers), expectedHeaders);
      }
    });

    test('an invalid request is refused as by the synchronous call, without a job', async () => {
      const count = async () => (await listJobs(service, basic('hook'))).jobs.length;
      const before = await count();
      for (const fields of [{ text: 'x', page_size: 'A9' }, { texd: 'x' }, {}] as const) {
        const refused = await submit(service, basic('hook'), fields);
        const synchronous = await send(service, fields, { authorization: bob });
        assert.equal(await refused.text(), synchronous.body.toString());
        assert.equal(refused.status, 400);
      }
      const { status } = await fetch(`${service.url}/jobs`, {
        method: 'POST',
        body: 'x',
        headers: { authorization: basic('hook'), 'content-type': 'text/plain' },
      });
      assert.equal(status, 400);
      assert.equal(await count(), before);
    });

    test('a running job answers 409.330 with Retry-After; canceling it frees the window for the next', async () => {
      const id = await submitted(service, ann, slow);
      await waitForState(service, ann, { id, states: ['running'] });
      const next = await submitted(service, bob, { text: '<p>next' });
      const early = await output(service, ann, id);
      assert.match(await early.text(), /^409\.330 - /);
      assert.ok(Number(early.headers.get('retry-after')) >= 1);
      assert.match(await (await output(service, bob, next)).text(), /^409\.330 - .* queued/);
      for (const state of ['running', 'queued'] as const) {
        const { jobs } = await listJobs(service, basic('boss'), `?state=${state}`);
        assert.deepEqual(
          jobs.map((job) => job.id),
          [state === 'running' ? id : next],
        );
      }
      assert.equal((await remove(service, ann, id)).status, 204);
      assert.equal((await remove(service, ann, id)).status, 204);
      const job = await readJob(service, ann, id);
      assert.deepEqual([job.state, job.outcome, job.consumed_credits], ['canceled', 'canceled', 0]);
      assert.match(await (await output(service, ann, id)).text(), /^410\.331 - .*canceled/);
      assert.equal((await waitForEnd(service, bob, next)).state, 'done');
    });

    test('a canceled job that waits never runs', async () => {
      const running = await submitted(service, ann, slow);
      await waitForState(service, ann, { id: running, states: ['running'] });
      await using site = await serveWeb({ '/': '<p>x' });
      const waiting = await submitted(service, ann, { url: site.url });
      assert.equal((await remove(service, ann, waiting)).status, 204);
      assert.equal((await remove(service, ann, running)).status, 204);
      const later = await submitted(service, ann, { text: '<p>later' });
      await waitForEnd(service, ann, later);
      assert.deepEqual(site.requestedPaths, []);
      assert.equal((await readJob(service, ann, waiting)).started_at, null);
    });

    test('only its account and operators find a job', async () => {
      const id = await submitted(service, ann, { text: '<p>mine' });
      await waitForEnd(service, ann, id);
      for (const action of [output, remove]) {
        const refused = await action(service, bob, id);
        assert.match(await refused.text(), /^404\.404/);
      }
      assert.equal((await output(service, basic('boss'), id)).status, 200);
      assert.equal((await remove(service, basic('boss'), id)).status, 204);
      assert.match(await (await output(service, ann, id)).text(), /^410\.331/);
      assert.equal((await remove(service, ann, id)).status, 204);
      assert.equal((await readJob(service, ann, id)).state, 'done');
    });

    test('a synchronous job has no output and cannot be canceled', async () => {
      const { headers } = await send(service, { text: '<p>x' }, { authorization: ann });
      const id = headers.get('x-service-job-id') ?? '';
      for (const action of [output, remove])
        assert.match(await (await action(service, ann, id)).text(), /^404\.404 - .*POST \/jobs/);
      const job = await readJob(service, ann, id);
      assert.deepEqual([job.state, job.priority, job.keep, job.expires_at], ['done', null, null, null]);
    });

    test('the same Idempotency-Key and request give the same job, another request 422.332', async () => {
      const file = () => htmlFile('<p>once');
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => submit(service, bob, { file: file(), tag: 'k' }, { key: 'key-1' })),
      );
      const bodies = await Promise.all(answers.map((answer) => answer.text()));
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202]);
      assert.equal(new Set(bodies).size, 1);
      const { id } = JSON.parse(bodies[0] ?? '') as { id: string };
      await waitForEnd(service, bob, id);
      assert.equal(
        await (await submit(service, bob, { file: file(), tag: 'k' }, { key: 'key-1' })).text(),
        bodies[0],
      );
      const other = await submit(service, bob, { file: htmlFile('<p>twice'), tag: 'k' }, { key: 'key-1' });
      assert.match(await other.text(), /^422\.332 - /);
      const { jobs } = await listJobs(service, bob, '?limit=500');
      assert.equal(jobs.filter(({ tag }) => tag === 'k').length, 1);
      for (const key of ['a b', 'x'.repeat(256)])
        assert.match(
          await (await submit(service, bob, { text: 'x' }, { key })).text(),
          /^400\.311 .*Idempotency-Key/,
        );
    });

    test('after its last credit an account is refused with 403.105, but repeats its last job', async () => {
      const none = basic('none');
      const fields = { text: '<p>1' };
      const first = await (await submit(service, none, fields, { key: 'last' })).text();
      await waitForEnd(service, none, (JSON.parse(first) as { id: string }).id);
      const second = await submit(service, none, { text: '<p>2' });
      assert.equal(second.status, 403);
      assert.match(await second.text(), /^403\.105/);
      const repeated = await submit(service, none, fields, { key: 'last' });
      assert.deepEqual([repeated.status, await repeated.text()], [202, first]);
    });

    test('an account at its limit of concurrent jobs has them run one after another', async () => {
      const one = basic('one');
      const ids: string[] = [];
      for (let n = 0; n < 3; n += 1) ids.push(await submitted(service, one, { text: `<p>page ${n}` }));
      const jobs = [];
      for (const id of ids) jobs.push(await waitForEnd(service, one, id));
      assert.deepEqual(
        jobs.map(({ state }) => state),
        ['done', 'done', 'done'],
      );
      for (const [n, job] of jobs.slice(1).entries())
        assert.ok((job.started_at ?? '') >= (jobs[n]?.ended_at ?? ''));
    });

    test('an output is gone when its time has passed', async () => {
      const id = await submitted(service, ann, { text: '<p>short', keep: 1 });
      await waitForEnd(service, ann, id);
      await waitUntil('the output has expired', async () => (await output(service, ann, id)).status === 410);
      assert.match(await (await output(service, ann, id)).text(), /^410\.331 - .*expired/);
    });

    test('when a job with a callback_url ends, a callback is due whose data is the job', async () => {
      const fields = { text: '<p>x', callback_url: 'http://127.0.0.1:9999/hook?token=t' };
      const refused = await submit(service, basic('hook'), fields);
      assert.match(await refused.text(), /^400\.311 - .*webhook-secret hook/);
      await setWebhookSecrets(running.database, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', running.keyring);
      const linkLocal = await submit(service, basic('hook'), {
        ...fields,
        callback_url: 'http://169.254.1.1/',
      });
      assert.match(await linkLocal.text(), /^400\.322 - /);
      const id = await submitted(service, basic('hook'), fields);
      const job = await waitForEnd(service, basic('hook'), id);
      assert.equal(job.callback_url, 'http://127.0.0.1:9999/hook?***');
      const row = await running.database
        .selectFrom('callbacks')
        .selectAll()
        .where('job_id', '=', id)
        .executeTakeFirstOrThrow();
      const { body, url } = decryptCallback(running.keyring, row);
      const { type, timestamp, data } = JSON.parse(body) as Record<string, unknown>;
      assert.deepEqual([type, timestamp, data, url], ['job.done', job.ended_at, job, fields.callback_url]);
    });

    test('uploads and deleted outputs leave no files', async () => {
      const id = await submitted(service, ann, { file: htmlFile(`<p>${'long '.repeat(300_000)}`) });
      const job = await waitForEnd(service, ann, id);
      assert.equal(job.state, 'done');
      const filesOf = async () => {
        if (kind === 'sqlite') {
          const folder = join(service.data, 'job-files');
          return readdirSync(folder).includes(id) ? readdirSync(join(folder, id)) : [];
        }
        const rows = await running.database
          .selectFrom('job_files')
          .select('name')
          .distinct()
          .where('job_id', '=', id)
          .execute();
        return rows.map(({ name }) => name);
      };
      await waitUntil('only the output remains', async () => (await filesOf()).length === 1);
      const response = await output(service, ann, id);
      assert.match(pdfText(Buffer.from(await response.arrayBuffer()), 1), /^long long/);
      await remove(service, ann, id);
      assert.deepEqual(await filesOf(), []);
    });
  });
