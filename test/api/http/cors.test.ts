import assert from 'node:assert/strict';
import { request, type IncomingHttpHeaders } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { demo } from '../../support/service/convert.ts';
import { basic } from '../../support/service/job-record.ts';
import { startService, type Service } from '../../support/service/service.ts';

interface AskOptions {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request with headers that browsers send and Node's fetch cannot set. */
function sendRequest(
  service: Service,
  { method = 'POST', path = '/convert/24.04/', headers = {} }: AskOptions,
) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const body = method === 'POST' ? 'text=x' : '';
    const type = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
    const sending = request(`${service.url}${path}`, { method, headers: { ...type, ...headers } });
    sending.on('error', reject).on('response', (response) => {
      let received = '';
      response
        .setEncoding('latin1')
        .on('data', (part: string) => (received += part))
        .on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received });
        });
    });
    sending.end(body);
  });
}

const origin = 'https://erp.example.com:8443';
const credentials = { authorization: demo };

let service: Service;
/** A service that allows two origins and has no demo account. */
let withOrigins: Service;
const ann = { authorization: basic('ann') };
before(async () => {
  service = await startService({ flags: ['--base-url', 'https://pdf.example.com/x'] });
  withOrigins = await startService({
    flags: ['--cors-origins', `${origin},http://other.example`, '--accounts', 'ann:key', '--demo', 'off'],
  });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await withOrigins[Symbol.asyncDispose]();
});

describe('Requests from pages of other origins', () => {
  test('are refused with 403.403, even if the browser adds credentials', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'file://' },
      { origin: 'http://127.0.0.1:1' },
      { origin: 'https://pdf.example.com.evil.example' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
    ]) {
      const answer = await sendRequest(service, { headers: { ...credentials, ...headers } });
      assert.match(answer.body, /^403\.403 - .*cors-origins/, JSON.stringify(headers));
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    }
    const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    assert.equal((await sendRequest(service, { method: 'GET', path: '/jobs', headers: image })).status, 403);
  });

  test('are refused with 403 if they are preflight requests', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const answer = await sendRequest(service, { method: 'OPTIONS', headers });
    assert.equal(answer.status, 403);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  });

  test("do not include requests from the service's own pages (also behind a proxy), from programs, and for links", async () => {
    const { host } = new URL(service.url);
    for (const headers of [
      {},
      { origin: service.url },
      { origin: `https://${host}` },
      { origin: 'https://pdf.example.com' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-mode': 'cors' },
    ])
      assert.equal((await sendRequest(service, { headers: { ...credentials, ...headers } })).status, 200);
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', ...credentials };
    assert.equal((await sendRequest(service, { method: 'GET', path: '/docs', headers: link })).status, 200);
  });
});

test('Addresses that start work or change something cannot be loaded, for example as a picture of another page', async () => {
  for (const path of [
    '/self-test',
    '/convert/24.04/',
    '/convert/latest/',
    '/convert/',
    '/console/run',
    '/console/call/state',
  ])
    for (const method of ['GET', 'HEAD']) {
      const answer = await sendRequest(service, { method, path, headers: credentials });
      assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST'], `${method} ${path}`);
    }
});

describe('DNS rebinding', () => {
  const rebound = { host: 'evil.example:8730', origin: 'http://evil.example:8730' };

  test('is refused if there is a demo account, whose key is public', async () => {
    assert.match(
      (await sendRequest(service, { headers: { ...credentials, ...rebound } })).body,
      /^403\.403 - /,
    );
    const { port } = new URL(service.url);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) {
      const sameOrigin = { host, origin: `http://${host}` };
      assert.equal(
        (await sendRequest(service, { headers: { ...credentials, ...sameOrigin } })).status,
        200,
        host,
      );
    }
  });

  test('cannot read jobs, outputs and metrics of the demo account with requests that have no origin', async () => {
    const { port } = new URL(service.url);
    for (const path of ['/jobs', '/jobs/00000000000000000000000000', '/metrics', '/console/output/x']) {
      const read = (host: string) =>
        sendRequest(service, { method: 'GET', path, headers: { ...credentials, host } });
      assert.equal((await read(`evil.example:${port}`)).status, 403, path);
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, 'pdf.example.com'])
        assert.notEqual((await read(host)).status, 403, host);
    }
  });

  test('gets 401.106 if there is no demo account', async () => {
    assert.match(
      (await sendRequest(withOrigins, { headers: { ...credentials, ...rebound } })).body,
      /^401\.106 - /,
    );
  });
});

describe('A page whose origin is in cors-origins', () => {
  test('gets a successful response to a preflight request without credentials', async () => {
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const answer = await sendRequest(withOrigins, { method: 'OPTIONS', headers });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers['access-control-allow-origin'], origin);
    assert.equal(
      answer.headers['access-control-allow-headers'],
      'authorization,content-type,idempotency-key',
    );
    assert.match(String(answer.headers.vary), /origin/i);
  });

  test('can convert, and can read the headers of the response and of a refusal', async () => {
    for (const headers of [{ origin, ...ann }, { origin }]) {
      const answer = await sendRequest(withOrigins, { headers });
      assert.equal(answer.status, 'authorization' in headers ? 200 : 401);
      assert.equal(answer.headers['access-control-allow-origin'], origin);
      assert.equal(answer.headers['access-control-allow-credentials'], undefined);
      const exposed = String(answer.headers['access-control-expose-headers']).split(',');
      for (const name of Object.keys(answer.headers).filter((header) => header.startsWith('x-service-')))
        assert.ok(exposed.includes(name), name);
    }
  });

  test('is the only page that gets CORS headers, and every response varies by origin', async () => {
    for (const headers of [{ origin: 'https://erp.example.com' }, { origin: 'null' }, {}]) {
      const answer = await sendRequest(withOrigins, { headers: { ...headers, ...ann } });
      assert.equal(answer.status, 'origin' in headers ? 403 : 200);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
      assert.match(String(answer.headers.vary), /origin/i);
    }
  });
});

describe('Security headers', () => {
  const policyOf = async (options: AskOptions) =>
    String(
      (await sendRequest(service, { ...options, headers: credentials })).headers['content-security-policy'],
    );

  test('of every response forbid type sniffing, caching and referrers', async () => {
    for (const options of [{}, { method: 'GET', path: '/health' }, { method: 'GET', path: '/nothing' }]) {
      const { headers } = await sendRequest(service, { ...options, headers: credentials });
      assert.deepEqual(
        [
          'x-content-type-options',
          'cache-control',
          'referrer-policy',
          'cross-origin-resource-policy',
          'cross-origin-opener-policy',
          'x-powered-by',
          'strict-transport-security',
        ].map((name) => headers[name]),
        ['nosniff', 'no-store', 'no-referrer', 'same-origin', 'same-origin', undefined, undefined],
      );
    }
  });

  test('of every response except converted documents forbid scripts and framing', async () => {
    for (const path of ['/docs', '/health', '/nothing', '/openapi.json', '/debug-log/0']) {
      const policy = await policyOf({ method: 'GET', path });
      assert.match(policy, /^default-src 'none'/, path);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /script-src|unsafe/);
    }
    assert.match(await policyOf({ method: 'GET', path: '/docs' }), /style-src 'sha256-/);
    assert.equal(await policyOf({}), 'undefined');
  });
});
