import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { demo, htmlFile, refusal, send } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';

const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;

describe('The HTTP interface:', () => {
  let service: Service;
  before(
    async () =>
      (service = await startService({
        flags: ['--max-upload', '1MB'],
      })),
  );
  after(() => service[Symbol.asyncDispose]());

  const post = (body: BodyInit, headers: Record<string, string> = {}, path = '/convert/24.04/') =>
    fetch(`${service.url}${path}`, { method: 'POST', body, headers: { authorization: demo, ...headers } });

  test('missing and wrong credentials get 401.106 with a challenge', async () => {
    for (const authorization of [
      '',
      'Bearer x',
      basic('demo', 'wrong'),
      basic('nobody', 'demo'),
      basic('', ''),
    ]) {
      const answer = await send(service, { text: 'x' }, { authorization });
      assert.match(answer.body.toString(), /^401\.106 - /);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic /);
    }
  });

  test('unknown paths get 404.404, and wrong methods 405.405 with Allow', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['POST', '/convert/25.01/'],
      ['GET', '/debug-log/0123'],
    ] as const) {
      const response = await fetch(`${service.url}${path}`, { method, headers: { authorization: demo } });
      assert.match(await response.text(), /^404\.404 - /, path);
    }
    for (const [method, path, allow] of [
      ['GET', '/convert/24.04/', 'POST'],
      ['DELETE', '/health', 'GET'],
      ['PUT', '/openapi.json', 'GET'],
    ] as const) {
      const response = await fetch(`${service.url}${path}`, { method, headers: { authorization: demo } });
      assert.match(await response.text(), /^405\.405 - /, path);
      assert.match(response.headers.get('allow') ?? '', new RegExp(allow));
    }
    assert.equal((await fetch(`${service.url}/nothing`)).status, 401);
  });

  test('paths with older API versions, without a version, and without the last slash are accepted', async () => {
    for (const path of [
      '/convert/24.04',
      '/convert/latest/',
      '/convert/LATEST/',
      '/convert/20.10/',
      '/convert/18.10',
      '/convert/',
      '/convert',
    ]) {
      assert.equal((await send(service, { text: 'x' }, { path })).status, 200, path);
    }
  });

  test('a body with a wrong or unknown Content-Type gets 400.302', async () => {
    assert.match(
      await (await post('{"text":"x"}', { 'content-type': 'application/json' })).text(),
      /^400\.302 - .*application\/json/,
    );
    assert.match(
      await (await post('text=x', { 'content-type': 'multipart/form-data' })).text(),
      /^400\.302 - /,
    );
    assert.match(
      await (
        await post('--b\r\ncontent-disposition: form-data; name="text"\r\n\r\nx', {
          'content-type': 'multipart/form-data; boundary=b',
        })
      ).text(),
      /^400\.302 - /,
    );
    assert.match(
      await (await post('text=%3Cp%3Ex', { 'content-type': 'multipart/form-data; boundary=b' })).text(),
      /^400\.302 - .*multipart/,
    );
    for (const header of [
      'Content-Disposition: form-data; name="text"',
      'Content-Type: text/html; charset=utf-8',
    ])
      assert.match(
        await (
          await post(`--${'b'.repeat(70)}\r\n${header}\r\n\r\n<p>x\r\n`, {
            'content-type': 'application/x-www-form-urlencoded',
          })
        ).text(),
        /^400\.302 - .*urlencoded, but the body is multipart/,
      );
    assert.match(await refusal(service, { file: 'no file' }), /^400\.302 - file must be a file part/);
    assert.match(
      await refusal(service, { text: htmlFile('x') }),
      /^400\.302 - text must be a plain field.*text=<file/,
    );
  });

  test('a request larger than max-upload gets 413.413, with or without a declared length', async () => {
    const large = 'x'.repeat(3_000_000);
    assert.match(await (await post(new URLSearchParams({ text: large }))).text(), /^413\.413 - .*1 MB/);
    const form = new FormData();
    form.set('file', htmlFile(large));
    assert.match(await (await post(form)).text(), /^413\.413 - /);
    const chunked = await new Promise<string>((resolve, reject) => {
      const sending = request(
        `${service.url}/convert/24.04/`,
        {
          method: 'POST',
          headers: { authorization: demo, 'content-type': 'application/x-www-form-urlencoded' },
        },
        (response) => {
          let received = '';
          response
            .on('data', (chunk: Buffer) => (received += chunk.toString()))
            .on('end', () => {
              resolve(received);
            });
        },
      );
      sending.on('error', reject);
      sending.write('text=');
      for (let n = 0; n < 30; n += 1) sending.write('x'.repeat(100_000));
      sending.end();
    });
    assert.match(chunked, /^413\.413 - /);
  });

  test('a refused request is read completely before the response is sent, so that no client gets a broken pipe', async () => {
    const answer = await post(new URLSearchParams({ text: 'x'.repeat(900_000) }), {
      authorization: basic('demo', 'wrong'),
    });
    assert.equal(answer.status, 401);
  });

  /** Sends a request, and reads until the connection is closed. */
  const sendRaw = (line: string, headers: readonly string[], body = '') =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      let text = '';
      socket
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .on('error', () => {})
        .on('close', () => {
          resolve(text);
        });
      const all = [
        `${line} HTTP/1.1`,
        ...headers,
        'Connection: close',
        `Authorization: ${demo}`,
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${body.length}`,
      ];
      socket.write(`${all.join('\r\n')}\r\n\r\n${body}`);
    });

  test('a request with an absolute URL, which clients with a proxy setting send, is accepted', async () => {
    const { host } = new URL(service.url);
    const toNobody = `Proxy-Authorization: ${basic('null', 'null')}`;
    for (const [target, seen] of [
      ['http://127.0.0.1:80/convert/24.04/', host],
      ['http://127.0.0.1:80/convert/24.04/', '127.0.0.1'],
      ['http://api.example.com:80/convert/', 'api.example.com'],
      ['http://[::1/convert/', host],
    ] as const) {
      const received = await sendRaw(
        `POST ${target}`,
        [`Host: ${seen}`, toNobody],
        'text=absolute&debug_log=1',
      );
      assert.match(received, /^HTTP\/1\.1 200 OK/, target);
      const link = /^x-service-debug-log: (.*?)\r$/m.exec(received)?.[1] ?? '';
      assert.equal((await fetch(link)).status, 200, link);
    }
  });

  test('the service does not act as a proxy', async () => {
    assert.match(
      await sendRaw('GET http://example.com/elsewhere', ['Host: example.com']),
      /^HTTP\/1\.1 404 .*404\.404 - There is nothing at \/elsewhere\./s,
    );
    assert.match(
      await sendRaw(`GET ${service.url}/health/convert/`, ['Host: example.com']),
      /^HTTP\/1\.1 404 /,
    );
    assert.match(
      await sendRaw('CONNECT example.com:443', ['Host: example.com']),
      /^HTTP\/1\.1 405 .*405\.405 - [^\r\n]*$/s,
    );
  });

  test('without --alias, responses have only x-service- headers, and pdfcrowd- classes have no effect', async () => {
    const answer = await send(service, { text: '<p class="pdfcrowd-remove">seen</p>', debug_log: true });
    const prefixes = new Set([...answer.headers.keys()].map((name) => /^x-(\w+)-/.exec(name)?.[1]));
    assert.deepEqual([...prefixes].sort(), ['content', 'service', undefined]);
    assert.equal(pdfText(answer.body).trim(), 'seen');
  });

  test('/health and /ready need no credentials, but /openapi.json and /docs do', async () => {
    assert.equal((await fetch(`${service.url}/health`)).status, 200);
    assert.equal((await fetch(`${service.url}/ready`)).status, 200);
    assert.equal((await fetch(`${service.url}/openapi.json`)).status, 401);
    const openapi = (await (
      await fetch(`${service.url}/openapi.json`, { headers: { authorization: demo } })
    ).json()) as { openapi: string };
    assert.equal(openapi.openapi, '3.1.0');
    const docs = await (await fetch(`${service.url}/docs`, { headers: { authorization: demo } })).text();
    assert.match(docs, /content_viewport_width/);
    assert.doesNotMatch(docs, /(src|href)="https?:/);
  });

  test('after 50 wrong credentials in a minute, further ones get 429.120, and correct credentials are still accepted', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 60; n += 1)
      statuses.add(
        (await send(service, { text: 'x' }, { authorization: basic('demo', `guess${n}`) })).status,
      );
    assert.deepEqual([...statuses], [401, 429]);
    const refused = await send(service, { text: 'x' }, { authorization: basic('demo', 'guess') });
    assert.match(refused.body.toString(), /^429\.120 - /);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await send(service, { text: 'still welcome' })).status, 200);
  });
});
