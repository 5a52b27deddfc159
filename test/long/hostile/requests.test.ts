import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseResponses, sendRaw, type RawResponse } from '../../support/servers/raw-connection.ts';
import { basic } from '../../support/service/job-record.ts';
import { send } from '../../support/service/convert.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { forms } from './requests/forms.ts';
import { requestSequences } from './requests/request-sequences.ts';
import { credentials, targets } from './requests/targets.ts';
import { shop, type BadRequest } from './requests/bad-request.ts';

describe('A hostile request gets a harmless response, and the service continues to work:', () => {
  let service: Service;
  before(async () => {
    const flags = ['--accounts', 'shop:key,other:key', '--workers', '1'];
    service = await startService({ flags });
  });
  after(() => service[Symbol.asyncDispose]());

  for (const { what, request, expected, status } of [
    ...forms,
    ...targets,
    ...credentials,
  ] as readonly BadRequest[])
    test(what, { timeout: 60_000 }, async () => {
      const [answer, ...more] = parseResponses(await sendRaw(service, request));
      assert.ok(answer);
      assert.deepEqual(more, [], 'the service read more than one request');
      assert.match(`${answer.status} ${answer.body}`.slice(0, 1000), expected);
      if (status !== 200) assertUsual(answer, service);
      assert.equal((await fetch(`${service.url}/health`)).status, 200);
    });

  for (const { what, run } of requestSequences) test(what, { timeout: 60_000 }, () => run(service));

  test('the service still converts documents, and its log contains no errors', async () => {
    assert.equal((await send(service, { text: 'x' }, { authorization: shop })).status, 200);
    assert.equal((await send(service, { text: 'x' }, { authorization: basic('other') })).status, 200);
    assert.doesNotMatch(service.log(), /"level":[56]0|unexpected fault/);
  });
});

/** Asserts that the response has the error format, and contains neither internals nor headers injected by the caller. */
function assertUsual({ headers, body }: RawResponse, { data }: Service): void {
  assert.match(
    body,
    /^(\d{3}\.\d{3} - \S[^\n]*|\{"status_code":\d{3},"reason_code":\d{3},"message":"[^\n]*"\})$/,
  );
  assert.ok(body.length < 5000, `a response of ${body.length} characters`);
  assert.doesNotMatch(body, /\bat \S+ \(|\.c?[jt]s:\d|node_modules|node:|net::|Error:/);
  assert.ok(!body.includes(data));
  assert.ok(!('x-evil' in headers) && !('set-cookie' in headers));
}
