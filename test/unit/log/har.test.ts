import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { LogEvent, RequestEvent } from '../../../main/log/events.ts';
import { harOf } from '../../../main/log/har.ts';

/**
 * JSON Schema of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/): all required fields, and no other fields except those
 * that start with `_`.
 */
const object = (properties: object, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  patternProperties: { '^_': {} },
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', items });
const text = { type: 'string' };
const integer = { type: 'integer', minimum: -1 };
const optionalTime = { type: 'number', minimum: -1 };
const requiredTime = { type: 'number', minimum: 0 };
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };
const pair = object({ name: text, value: text });
const message = {
  httpVersion: text,
  cookies: list({}),
  headers: list(pair),
  headersSize: integer,
  bodySize: integer,
};
const timings = {
  blocked: optionalTime,
  dns: optionalTime,
  connect: optionalTime,
  ssl: optionalTime,
  send: requiredTime,
  wait: requiredTime,
  receive: requiredTime,
};
const entry = object(
  {
    pageref: { const: 'page_1' },
    startedDateTime: time,
    time: requiredTime,
    cache: object({}),
    comment: text,
    request: object({ ...message, method: text, url: { ...text, format: 'uri' }, queryString: list(pair) }),
    response: object({
      ...message,
      status: { type: 'integer', minimum: 0 },
      statusText: text,
      redirectURL: text,
      content: object({ size: integer, mimeType: text }),
    }),
    timings: object(timings),
  },
  ['comment'],
);
const har = object({
  log: object({
    version: { const: '1.2' },
    creator: object({ name: text, version: text }),
    browser: object({ name: text, version: text }),
    pages: list(
      object({
        startedDateTime: time,
        id: { const: 'page_1' },
        title: text,
        pageTimings: object({ onContentLoad: optionalTime, onLoad: optionalTime }),
      }),
    ),
    entries: list(entry),
  }),
});

const isAddress = (value: string) => URL.canParse(value) && !/\s/.test(value);
const ajv = new Ajv2020({ allErrors: true, strict: true, formats: { uri: isAddress } });
const isHar = ajv.compile(har);

interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly comment?: string;
  readonly request: {
    readonly url: string;
    readonly queryString: readonly object[];
    readonly headers: readonly object[];
  };
  readonly response: { readonly status: number; readonly redirectURL: string };
  readonly timings: Readonly<Record<string, number>>;
}

const job: LogEvent = {
  at: 0,
  kind: 'job',
  text: 'j1',
  detail: {
    account: 'a',
    received: '2026-03-01T10:00:00.000Z',
    versions: { platen: '1.2.3', electron: '2', chromium: '3' },
  },
};

function requestTo(address: string, detail: RequestEvent['detail'], took = 5): LogEvent {
  return { at: 50, kind: 'request', text: address, took, detail: { method: 'GET', ...detail } };
}

function entriesOf(...events: readonly LogEvent[]): HarEntry[] {
  const archive = harOf([job, ...events]);
  assert.ok(isHar(archive), JSON.stringify(isHar.errors));
  return (archive as { log: { entries: HarEntry[] } }).log.entries;
}

test('the HAR of a log is valid HAR 1.2 for every outcome of requests', () => {
  const phases = { connect: 1, send: 0.5, wait: 2, receive: 1 };
  const headers = [{ name: 'accept', value: '*/*' }];
  const entries = entriesOf(
    requestTo('https://a.example/x?b=1&b=2&c', {
      began: 10,
      status: 200,
      mime: 'text/css',
      protocol: 'h2',
      from: 'network',
      bytes: 120,
      phases,
      requestHeaders: headers,
      responseHeaders: headers,
      type: 'Stylesheet',
      initiator: 'index.html:3',
    }),
    requestTo('https://a.example/y', { began: 11, status: 302, redirected: 'https://a.example/z' }),
    requestTo('https://a.example/z', { began: 12, blocked: 'by block_ads' }),
    requestTo('https://a.example/q', { failed: 'could not be loaded' }, 0),
    requestTo('img/Größe 1.png', {
      began: 13,
      status: 404,
      from: 'job',
      failed: 'no such file in the archive',
    }),
    requestTo('data:image/png;base64,... (99 characters)', { began: 14, status: 200, from: 'data' }),
  );
  assert.equal(entries.length, 6);
  assert.ok(isHar(harOf([])), JSON.stringify(isHar.errors));
  assert.ok(!isHar({ log: { version: '1.2' } }), 'the schema rejects an incomplete log');
});

test('entries are in the order of the requests, each with its time of day', () => {
  const entries = entriesOf(
    requestTo('https://a.example/2', { began: 20.5 }),
    requestTo('https://a.example/1', { began: 3 }),
  );
  assert.deepEqual(
    entries.map(({ request, startedDateTime }) => [request.url, startedDateTime]),
    [
      ['https://a.example/1', '2026-03-01T10:00:00.003Z'],
      ['https://a.example/2', '2026-03-01T10:00:00.020Z'],
    ],
  );
});

test('time outside the phases of a request counts as blocked, so that its timings add up to its duration', () => {
  const phases = { connect: 1, send: 0.5, wait: 2, receive: 1 };
  const [entry] = entriesOf(requestTo('https://a.example/', { status: 200, phases }, 10));
  assert.deepEqual(entry?.timings, {
    blocked: 5.5,
    dns: -1,
    connect: 1,
    ssl: -1,
    send: 0.5,
    wait: 2,
    receive: 1,
  });
  assert.equal(entry.time, 10);
});

test('a refused or failed request has no status, but a reason', () => {
  const entries = entriesOf(
    requestTo('https://a.example/a', { began: 1, blocked: 'by the network policy' }),
    requestTo('https://a.example/b', { began: 2, failed: 'could not be loaded' }),
  );
  assert.deepEqual(
    entries.map(({ response, comment }) => [response.status, comment]),
    [
      [0, 'blocked: by the network policy'],
      [0, 'failed: could not be loaded'],
    ],
  );
});

test('the redirectURL of a redirect is the URL of the next entry', () => {
  const [first, second] = entriesOf(
    requestTo('https://a.example/a', { began: 1, status: 302, redirected: 'https://a.example/b' }),
    requestTo('https://a.example/b', { began: 2, status: 200 }),
  );
  assert.equal(first?.response.redirectURL, second?.request.url);
});

test('console messages and refused connections without a URL are not entries', () => {
  const detail = { level: 'info', source: 'a', line: 1 } as const;
  const refused: LogEvent = {
    at: 1,
    kind: 'request',
    text: 'a.example:1',
    detail: { blocked: 'by the network policy' },
  };
  assert.deepEqual(entriesOf({ at: 1, kind: 'console', text: 'x', detail }, refused), []);
});

test('a file whose name is cut in the middle of a character has an address', () => {
  const [entry] = entriesOf(requestTo('a\ud83d...', { began: 1, status: 200, from: 'job' }));
  assert.equal(entry?.request.url, 'platen://job/a%EF%BF%BD...');
});
