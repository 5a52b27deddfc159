import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { parseResponses, sendRaw } from '../../support/servers/raw-connection.ts';
import { demo, send } from '../../support/service/convert.ts';
import { waitForJobs } from '../../support/service/job-record.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

const post = `POST /convert/24.04/ HTTP/1.1\r\nHost: x\r\nAuthorization: ${demo}\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
const get = 'GET /health HTTP/1.1\r\nHost: x\r\n';
const chunked = `${post}Transfer-Encoding: chunked\r\n`;
/** The request that an attacker smuggles behind the ambiguous request. The service must not respond to it. */
const second = `${get}\r\n`;
const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, turn) => `${name}${turn}: x\r\n`).join('');

const malformed: Readonly<Record<string, string>> = {
  'a length and a transfer coding': `${chunked}Content-Length: 5\r\n\r\n0\r\n\r\n`,
  'a transfer coding and a length': `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n5c\r\nGPOST / HTTP/1.1\r\n\r\n`,
  'two lengths': `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\ntext=1`,
  'the same length twice': `${post}Content-Length: 6\r\nContent-Length: 6\r\n\r\ntext=1`,
  'a list of lengths': `${post}Content-Length: 6, 6\r\n\r\ntext=1`,
  'a length with a plus': `${post}Content-Length: +6\r\n\r\ntext=1`,
  'a negative length': `${post}Content-Length: -6\r\n\r\ntext=1`,
  'a hexadecimal length': `${post}Content-Length: 0x6\r\n\r\ntext=1`,
  'a length of two numbers': `${post}Content-Length: 6 6\r\n\r\ntext=1`,
  'a length that is too large a number': `${post}Content-Length: 99999999999999999999\r\n\r\ntext=1`,
  'an empty length': `${post}Content-Length:\r\n\r\ntext=1`,
  'a transfer coding on a folded line': `${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`,
  'a folded header': `${post}X: a\r\n b\r\n\r\n`,
  'an unknown transfer coding': `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'chunked, then identity': `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  'identity, then chunked': `${post}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n`,
  'gzip, then chunked': `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  'identity alone': `${post}Transfer-Encoding: identity\r\n\r\n`,
  'two codings': `${chunked}Transfer-Encoding: x\r\n\r\n0\r\n\r\n`,
  'a quoted coding': `${post}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`,
  'a coding after a vertical tab': `${post}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`,
  'chunks in HTTP/1.0': `POST /convert/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a space before the colon': `${post}Content-Length : 6\r\n\r\ntext=1`,
  'a space before the first header': 'POST / HTTP/1.1\r\n Host: x\r\n\r\n',
  'line feeds without carriage returns': 'GET /health HTTP/1.1\nHost: x\n\n',
  'a line feed without a carriage return between headers': `${post}X: a\nContent-Length: 6\r\n\r\ntext=1`,
  'a carriage return without a line feed': `${post}X: a\rContent-Length: 6\r\n\r\n`,
  'a NUL in a header': `${get}X: a\0b\r\n\r\n`,
  'a header without a colon': `${get}nonsense\r\n\r\n`,
  'a header without a name': `${get}: x\r\n\r\n`,
  'a chunk extension with a line feed without a carriage return': `${chunked}\r\n5;a\ntext=1\r\n0\r\n\r\n`,
  'a chunk that ends in a line feed': `${chunked}\r\n6\ntext=1\n0\n\n`,
  'a chunk size that is too large a number': `${chunked}\r\nFFFFFFFFFFFFFFFFF\r\ntext=1\r\n0\r\n\r\n`,
  'a chunk size that wraps around': `${chunked}\r\n10000000000000006\r\ntext=1\r\n0\r\n\r\n`,
  'a negative chunk size': `${chunked}\r\n-6\r\ntext=1\r\n0\r\n\r\n`,
  'a chunk size with 0x': `${chunked}\r\n0x6\r\ntext=1\r\n0\r\n\r\n`,
  'a chunk longer than its size': `${chunked}\r\n3\r\ntext=1\r\n0\r\n\r\n`,
  'no Host': 'GET /health HTTP/1.1\r\n\r\n',
  'two Hosts': `${get}Host: y\r\n\r\n`,
  'an invalid Host': 'GET /health HTTP/1.1\r\nHost: a b/c\r\n\r\n',
  'two credentials': `${post}Authorization: Basic eDp5\r\nContent-Length: 6\r\n\r\ntext=1`,
  'two content types': `${post}Content-Type: multipart/form-data\r\nContent-Length: 6\r\n\r\ntext=1`,
  'a version that does not exist': 'GET /health HTTP/1.2\r\nHost: x\r\n\r\n',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a method in lower case': 'get /health HTTP/1.1\r\nHost: x\r\n\r\n',
  'a target without a slash': 'GET health HTTP/1.1\r\nHost: x\r\n\r\n',
  'a target with a tab': 'GET /health\t/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'a target with raw bytes': 'GET /health\xff HTTP/1.1\r\nHost: x\r\n\r\n',
  'no HTTP at all': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
};

let service: Service;
let logged = 0;
before(async () => {
  service = await defaultService();
});

describe('HTTP parsing:', () => {
  before(() => (logged = service.log().length));

  for (const [what, request] of Object.entries(malformed))
    test(`an ambiguous request gets exactly one response, 400.400, and the rest of the connection is ignored: ${what}`, async () => {
      const answers = parseResponses(await sendRaw(service, request + second + second));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [400],
      );
      assert.match(answers[0]?.body ?? '', /^400\.400 - The request is not valid HTTP[:.] .*\.$/);
      assert.equal(answers[0]?.headers['x-service-reason-code'], '400');
      assert.equal(answers[0].headers.connection, 'close');
    });

  test('an ambiguous request gets its response after the responses to the valid requests before it', async () => {
    const bad = malformed['a length and a transfer coding'] ?? '';
    const form = 'text=before';
    const validRequest = `${post}Content-Length: ${form.length}\r\n\r\n${form}`;
    const answers = parseResponses(await sendRaw(service, validRequest + bad + second));
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['content-type']]),
      [
        [200, 'application/pdf'],
        [400, 'text/plain; charset=utf-8'],
      ],
    );
  });

  test('a request whose body is invalid fails its job, whose record contains the message of the response', async () => {
    const received = await sendRaw(service, `${chunked}\r\n5\r\ntext=\r\n`, 'nonsense\r\n');
    const [answer] = parseResponses(received);
    assert.match(answer?.body ?? '', /^400\.400 - /);
    const [job] = await waitForJobs(service, demo, ([newest]) => newest?.outcome === 'failed');
    assert.deepEqual([job?.status, job?.reason, job?.message], [400, 400, answer?.body.slice(10)]);
  });

  test('chunk extensions, several chunks and trailers, which HTTP allows, are accepted', async () => {
    const form = '5;a=b\r\ntext=\r\n4;c\r\nfine\r\n0\r\nX: y\r\nContent-Length: 5\r\n\r\n';
    const last = `${get}Connection: close\r\n\r\n`;
    const answers = parseResponses(await sendRaw(service, `${chunked}\r\n${form}`, last));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
  });

  test('a request with more than 16 kB of headers, or more than 100 headers, gets 431.431', async () => {
    for (const headers of [
      `X: ${'x'.repeat(20_000)}\r\n`,
      many(101, 'X-'),
      many(3000, 'X-'),
      `Cookie: ${'a=b;'.repeat(5000)}\r\n`,
    ]) {
      const answers = parseResponses(await sendRaw(service, `${get}${headers}\r\n${second}`));
      assert.equal(answers.length, 1);
      assert.match(answers[0]?.body ?? '', /^431\.431 - /);
    }
    const long = `GET /health?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    assert.match(parseResponses(await sendRaw(service, long))[0]?.body ?? '', /^431\.431 - /);
    const maxHeaders = `${get}Connection: close\r\n${many(98, 'X-')}\r\n`;
    assert.equal(parseResponses(await sendRaw(service, maxHeaders))[0]?.status, 200);
  });

  test('CONNECT, TRACE and other methods get 405.405; a WebSocket handshake is treated as an ordinary request', async () => {
    const [connected] = parseResponses(
      await sendRaw(service, 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n'),
    );
    assert.match(connected?.body ?? '', /^405\.405 - /);
    for (const method of ['TRACE', 'OPTIONS', 'PROPFIND', 'PUT']) {
      const request = `${method} /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const [answer] = parseResponses(await sendRaw(service, request));
      assert.match(answer?.body ?? '', /^405\.405 - /, method);
      assert.equal(answer?.headers.allow, 'GET');
    }
    const upgrade =
      'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
    const [health] = parseResponses(await sendRaw(service, get + upgrade));
    assert.equal(health?.status, 200);
    const [console_] = parseResponses(await sendRaw(service, `GET / HTTP/1.1\r\nHost: x\r\n${upgrade}`));
    assert.equal(console_?.status, 401);
  });

  test('HTTP/1.0 requests are accepted, also without Host, and HEAD responds like GET without the body', async () => {
    const [old] = parseResponses(await sendRaw(service, 'GET /health HTTP/1.0\r\n\r\n'));
    assert.deepEqual([old?.status, old?.body], [200, '{"status":"alive"}']);
    const head = await sendRaw(service, 'HEAD /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 200 .*content-length: 18.*\r\n\r\n$/is);
  });

  test('the service still works, and its log contains no errors', async () => {
    assert.equal((await send(service, { text: 'after all that' })).status, 200);
    assert.doesNotMatch(service.log().slice(logged), /unexpected fault|"level":50/);
  });
});

describe('Expect: 100-continue', () => {
  const expectContinue = (headers: string) => `${headers}Expect: 100-continue\r\nConnection: close\r\n`;

  test('a client that expects 100 Continue receives it, and its form is read', async () => {
    const form = 'text=asked';
    const received = await sendRaw(
      service,
      `${expectContinue(post)}Content-Length: ${form.length}\r\n\r\n`,
      form,
    );
    assert.match(received, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  test('wrong credentials, too large forms and wrong paths are refused before the body is sent', async () => {
    const wrong = post.replace(demo, 'Basic eDp5');
    const elsewhere = post.replace('/convert/24.04/', '/nothing');
    for (const [headers, length, expected] of [
      [wrong, 1000, /^401\.106 - /],
      [post, 1_000_000_000, /^413\.413 - /],
      [elsewhere, 1000, /^404\.404 - /],
    ] as const) {
      const received = await sendRaw(service, `${expectContinue(headers)}Content-Length: ${length}\r\n\r\n`);
      const answers = parseResponses(received);
      assert.equal(answers.length, 1);
      assert.match(answers[0]?.body ?? '', expected);
      assert.equal(answers[0]?.headers.connection, 'close');
    }
  });

  test('another expectation is ignored, as HTTP allows', async () => {
    const [answer] = parseResponses(
      await sendRaw(service, `${get}Expect: miracles\r\nConnection: close\r\n\r\n`),
    );
    assert.equal(answer?.status, 200);
  });
});
