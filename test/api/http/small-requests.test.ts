import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { smallRequests } from '../../support/hostile/small-requests.ts';
import { demo, formDataFor, send } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

describe('The service answers, and /health answers meanwhile,', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  for (const [name, { fields, path, status }] of Object.entries(smallRequests))
    test(`after a request with ${name}`, async () => {
      const sent = send(service, fields, { path, signal: AbortSignal.timeout(30_000) });
      for (let check = 0; check < 3; check += 1) {
        const health = await fetch(`${service.url}/health`, { signal: AbortSignal.timeout(30_000) });
        assert.equal(health.status, 200);
      }
      assert.equal((await sent).status, status);
    });

  test('after a request whose content type has many blanks', async () => {
    const response = await fetch(`${service.url}/convert/24.04/`, {
      method: 'POST',
      headers: { authorization: demo, 'content-type': `a${' '.repeat(14_000)}b` },
      body: new Uint8Array(await new Response(formDataFor({ text: 'x' })).arrayBuffer()),
      signal: AbortSignal.timeout(30_000),
    });
    assert.equal(response.status, 400);
  });
});
