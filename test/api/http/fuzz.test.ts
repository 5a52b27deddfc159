import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as moment } from 'node:timers/promises';
import fc from 'fast-check';
import { catalogue } from '../../../main/failure/catalogue.ts';
import {
  parseResponses,
  openConnection,
  readAll,
  type RawResponse,
} from '../../support/servers/raw-connection.ts';
import { convert, demo } from '../../support/service/convert.ts';
import { mutate, mutations } from '../../support/archives/mutations.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { multipart } from '../../unit/http/upload/form-bodies.ts';

const reasons = new Set(Object.values(catalogue).map(({ status, reason }) => `${status}.${reason}`));

/** The time after which a request without a response counts as hanging. Long enough for a busy machine. */
const timeoutMs = 60_000;

describe('The response to random input', () => {
  let service: Service;
  before(async () => (service = await startService({ flags: ['--max-upload', '1MB'] })));
  after(() => service[Symbol.asyncDispose]());

  /**
   * Sends the bytes, and then ends the connection if `isComplete`. Returns the last response, or undefined if the service closes
   * the connection without a response.
   */
  async function answerTo(bytes: Buffer, isComplete = false): Promise<RawResponse | undefined> {
    const socket = openConnection(service);
    const received = readAll(socket);
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no response')));
    const failed = once(socket, 'timeout').then(() => assert.fail('the request got no response'));
    failed.catch(() => {});
    socket.write(bytes);
    if (isComplete) socket.end();
    return parseResponses(await Promise.race([received, failed])).at(-1);
  }

  function assertOurs({ status, headers, body }: RawResponse, method = 'POST'): void {
    assert.ok(status < 500, `${status} ${body}`);
    assert.equal(headers['x-powered-by'], undefined);
    assert.doesNotMatch(body, /\bat \w+ \(|node_modules|\.build\//);
    if (status < 400) return;
    const reason = `${status}.${headers['x-service-reason-code'] ?? ''}`;
    assert.ok(reasons.has(reason), `${reason} ${body}`);
    if (method === 'HEAD') return;
    if (body.startsWith('{')) {
      const error = JSON.parse(body) as Record<string, unknown>;
      assert.equal(`${String(error.status_code)}.${String(error.reason_code)}`, reason);
    } else assert.ok(body.startsWith(`${reason} - `), body);
  }

  async function assertAlive(): Promise<void> {
    assert.equal((await fetch(`${service.url}/health`)).status, 200);
    const pdf = await convert(service, { text: '<p>alive' });
    assert.equal(pdf.toString('latin1', 0, 5), '%PDF-');
    await workIsGone();
  }

  /** Waits until the work folder is empty: the files of a job whose caller has disconnected are deleted shortly afterwards. */
  async function workIsGone(): Promise<void> {
    const until = performance.now() + timeoutMs;
    const left = () => readdirSync(join(service.data, 'work'));
    while (left().length > 0 && performance.now() < until) await moment(10);
    assert.deepEqual(left(), []);
  }

  test('in the method, path and headers is well-formed and never an internal error', async () => {
    const methods = fc.constantFrom(
      'GET',
      'POST',
      'HEAD',
      'PUT',
      'DELETE',
      'OPTIONS',
      'PATCH',
      'TRACE',
      'CONNECT',
      'PROPFIND',
      'X',
    );
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '/convert/',
        '24.04/',
        'latest',
        '/health',
        '/ready',
        '/metrics',
        '/docs',
        '/openapi.json',
        '/debug-log/',
        '/jobs',
        '..',
        '%2e%2e',
        '%00',
        '%',
        '%ff',
        '?',
        '&',
        '=',
        '#',
        ';',
        '//',
        '\\',
        '*',
        'http://x/',
        '@',
        '[',
        '__proto__',
      ),
      fc.webSegment(),
    );
    const paths = fc.array(piece, { maxLength: 5 }).map((parts) => `/${parts.join('')}`);
    const targets = fc.oneof(
      paths,
      paths,
      paths.map((path) => `http://127.0.0.1:1${path}`),
      fc.string({ maxLength: 10 }),
    );
    const field = fc.oneof(
      fc.constantFrom(
        'Accept: application/json',
        'Accept: */*;q=x',
        'Expect: 100-continue',
        'Expect: x',
        'Upgrade: websocket',
        'Upgrade: h2c',
        'Origin: null',
        'Origin: http://a.example',
        'Range: bytes=0-1',
        'If-None-Match: *',
        'If-Modified-Since: x',
        'Content-Type: multipart/form-data',
        'Content-Type: multipart/form-data; boundary=b',
        'Content-Type: application/x-www-form-urlencoded; charset=x',
        'Content-Encoding: gzip',
        'X-Forwarded-For: 1.1.1.1',
        'X-Forwarded-Host: a\tb',
        'X-HTTP-Method-Override: PUT',
        'Cookie: a=b',
        'Accept-Encoding: gzip, br',
        'Access-Control-Request-Method: POST',
        'TE: trailers',
        'Host: y',
      ),
      fc
        .tuple(fc.stringMatching(/^[\w-]{1,20}$/), fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,60}$/))
        .map((pair) => pair.join(': ')),
    );
    const framings = fc.constantFrom(
      '\r\n',
      'Content-Length: 4\r\n\r\na=b&',
      'Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n',
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    );
    const authorizations = fc.constantFrom(
      `Authorization: ${demo}\r\n`,
      `Authorization: ${demo}\r\n`,
      `Authorization: ${demo}\r\n`,
      '',
    );
    await fc.assert(
      fc.asyncProperty(
        methods,
        targets,
        authorizations,
        fc.array(field, { maxLength: 5 }),
        framings,
        async (method, target, authorization, fields, body) => {
          const head = [`${method} ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...fields].join(
            '\r\n',
          );
          const answer = await answerTo(Buffer.from(`${head}\r\n${authorization}${body}`, 'latin1'));
          assert.ok(answer, head);
          assertOurs(answer, method);
        },
      ),
      { numRuns: 400 },
    );
    await assertAlive();
  });

  const request = (type: string, body: Buffer) =>
    Buffer.concat([
      Buffer.from(
        `POST /convert/24.04/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${demo}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
      ),
      body,
    ]);

  test('in a form is well-formed and never an internal error, and no files remain', async () => {
    await fc.assert(
      fc.asyncProperty(multipart, fc.option(mutations), async ({ type, bytes }, all) => {
        const answer = await answerTo(request(type, all ? mutate(bytes, all) : bytes));
        assert.ok(answer);
        assertOurs(answer);
      }),
      { numRuns: 150 },
    );
    await assertAlive();
  });

  test('in the bytes of a request is well-formed, or the connection is closed without a response', async () => {
    await fc.assert(
      fc.asyncProperty(multipart, mutations, async ({ type, bytes }, all) => {
        const answer = await answerTo(mutate(request(type, bytes), all), true);
        if (answer) assertOurs(answer);
      }),
      { numRuns: 150 },
    );
    await assertAlive();
  });
});
