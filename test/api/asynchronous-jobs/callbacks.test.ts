/** Callbacks of a running service, received and verified over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { demo, formDataFor, type Fields } from '../../support/service/convert.ts';
import { runPlaten, startService, temporaryFolder, type Service } from '../../support/service/service.ts';
import { serveCallbackReceiver, type CallbackReceiver } from '../../support/servers/callback-receiver.ts';
import { killService } from '../../support/service/kill-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface CallbackBody {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const bodiesOf = ({ received }: CallbackReceiver) =>
  received.map(({ body }) => JSON.parse(body) as CallbackBody);

async function post(service: Service, fields: Fields) {
  const response = await fetch(`${service.url}/jobs?errfmt=json`, {
    method: 'POST',
    body: formDataFor(fields),
    headers: { authorization: demo },
  });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
}

const get = async (service: Service, path: string) =>
  (await (await fetch(`${service.url}${path}`, { headers: { authorization: demo } })).json()) as unknown;

async function secretOf(data: string): Promise<string> {
  const { code, out, err } = await runPlaten(['account', 'webhook-secret', 'demo', '--data', data]);
  assert.equal(code, 0, err);
  return /whsec_\S+/.exec(out)?.[0] ?? '';
}

describe('A callback', () => {
  let service: Service;
  before(async () => {
    service = await startService({ flags: ['--network-allow', '127.0.0.1', '--log-level', 'debug'] });
  });
  after(() => service[Symbol.asyncDispose]());

  test('needs a secret of the account; the message names the command that creates it', async () => {
    const { status, body } = await post(service, { text: '<p>x', callback_url: 'https://example.com/hook' });
    assert.deepEqual([status, body.reason_code], [400, 311]);
    assert.match(String(body.message), /platen account webhook-secret demo/);
  });

  test('contains the job as GET /jobs shows it, after success, failure and cancellation', async () => {
    const secret = await secretOf(service.data);
    await using receiver = await serveCallbackReceiver(secret);
    const callback_url = `${receiver.url}/hook?token=s3cret`;
    const done = await post(service, { text: '<p>done', callback_url, tag: 'a' });
    const failed = await post(service, { text: '<p>failed', custom_javascript: 'throw 1', callback_url });
    const canceled = await post(service, { text: '<p>canceled', javascript_delay: 20_000, callback_url });
    assert.deepEqual([done.status, failed.status, canceled.status], [202, 202, 202]);
    const deletion = await fetch(`${service.url}/jobs/${String(canceled.body.id)}`, {
      method: 'DELETE',
      headers: { authorization: demo },
    });
    assert.equal(deletion.status, 204);
    await waitUntil('three callbacks arrive', () => receiver.received.length === 3);
    assert.deepEqual(receiver.problems, []);
    const types = new Map(bodiesOf(receiver).map(({ type, data }) => [data.id, type]));
    assert.equal(types.get(done.body.id), 'job.done');
    assert.equal(types.get(failed.body.id), 'job.failed');
    assert.equal(types.get(canceled.body.id), 'job.canceled');
    for (const { data } of bodiesOf(receiver)) {
      const shown = (await get(service, `/jobs/${String(data.id)}`)) as CallbackBody['data'];
      assert.deepEqual(data, shown);
    }
    assert.doesNotMatch(service.log(), /s3cret|whsec_/);
  });

  test('to a refused address is refused when the job is submitted', async () => {
    const { status, body } = await post(service, {
      text: '<p>x',
      callback_url: 'http://169.254.169.254/latest',
    });
    assert.deepEqual([status, body.reason_code], [400, 322]);
  });
});

test('A callback that was not delivered before a crash is delivered after it', async () => {
  const data = temporaryFolder();
  const flags = ['--network-allow', '127.0.0.1'];
  let isWorking = false;
  const first = await startService({ flags, data });
  const secret = await secretOf(data);
  await using receiver = await serveCallbackReceiver(secret, (response) => {
    response.writeHead(isWorking ? 200 : 500).end();
  });
  const { body } = await post(first, { text: '<p>x', callback_url: `${receiver.url}/hook` });
  await waitUntil('the first attempt fails', () => receiver.received.length === 1);
  await killService(first);
  isWorking = true;
  await using second = await startService({ flags, data });
  await waitUntil('the callback is delivered', () => receiver.received.length === 2);
  const [before, then] = receiver.received;
  assert.equal(before?.headers['webhook-id'], then?.headers['webhook-id']);
  assert.equal(before?.body, then?.body);
  assert.equal(bodiesOf(receiver)[1]?.data.id, body.id);
  assert.ok(second.url);
});
