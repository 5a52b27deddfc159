/** Attacks with several requests: access to resources of other accounts, manipulated links, pipelined requests. */
import assert from 'node:assert/strict';
import { parseResponses, sendRaw } from '../../../support/servers/raw-connection.ts';
import { send } from '../../../support/service/convert.ts';
import { basic, get, listJobs } from '../../../support/service/job-record.ts';
import type { Service } from '../../../support/service/service.ts';
import { request, shop } from './bad-request.ts';

interface RequestSequence {
  readonly what: string;
  readonly run: (service: Service) => Promise<void>;
}

const requestBody = 'text=x&debug_log=true';
const form = ['Content-Type: application/x-www-form-urlencoded', `Authorization: ${shop}`];

/** Sends a job with these headers, and returns the link to its debug log. */
async function linkFor(service: Service, line: string, headers: readonly string[]): Promise<string> {
  const lines = ['Connection: close', `Content-Length: ${requestBody.length}`, ...form, ...headers].join(
    '\r\n',
  );
  const [answer] = parseResponses(
    await sendRaw(service, `${line} HTTP/1.1\r\n${lines}\r\n\r\n${requestBody}`),
  );
  assert.equal(answer?.status, 200, answer?.body);
  return answer.headers['x-service-debug-log'] ?? '';
}

export const requestSequences: readonly RequestSequence[] = [
  {
    what: 'a forged Host header does not change the link to a debug log',
    async run(service) {
      const line = 'POST /convert/24.04/';
      for (const headers of [
        ['Host: evil.example'],
        ['Host: localhost.evil.example'],
        ['Host: 127.0.0.1.evil.example:80'],
        ['Host: x', 'X-Forwarded-Host: evil.example'],
        ['Host: x', 'Forwarded: host=evil.example', 'X-Original-URL: http://evil.example/'],
      ])
        assert.ok(
          (await linkFor(service, line, headers)).startsWith(`${service.url}/debug-log/`),
          headers.join(),
        );
      const absolute = 'POST http://evil.example/convert/24.04/';
      assert.ok((await linkFor(service, absolute, ['Host: evil.example'])).startsWith(service.url));
    },
  },
  {
    what: "another account's job is neither in the list nor found by its id",
    async run(service) {
      await send(service, { text: 'x', tag: 'secret-tag' }, { authorization: shop });
      const [job] = (await listJobs(service, shop)).jobs;
      assert.ok(job);
      assert.equal((await get(service, `/jobs/${job.id}`, shop)).status, 200);
      const foreign = await get(service, `/jobs/${job.id}`, basic('other'));
      const unknown = await get(service, `/jobs/${job.id.replace(/.$/, '0')}`, basic('other'));
      assert.deepEqual([foreign.status, await foreign.text()], [404, await unknown.text()]);
      assert.doesNotMatch(JSON.stringify(await listJobs(service, basic('other'))), /secret-tag/);
    },
  },
  {
    what: "another account's metrics are not visible",
    async run(service) {
      const figures = await (await get(service, '/metrics', basic('other'))).text();
      assert.match(figures, /account="other"|platen_/);
      assert.doesNotMatch(figures, /account="shop"/);
    },
  },
  {
    what: 'a debug log is found only by its complete name, which is unguessable',
    async run(service) {
      const links = await Promise.all(
        [1, 2].map(() => linkFor(service, 'POST /convert/24.04/', ['Host: x'])),
      );
      const [first = '', second = ''] = links.map((link) => link.split('/').at(-1) ?? '');
      assert.ok(first.length >= 22 && first.slice(0, 8) !== second.slice(0, 8), `${first} ${second}`);
      assert.equal((await fetch(`${service.url}/debug-log/${first}`)).status, 200);
      for (const near of [
        first.slice(0, -1),
        `${first}x`,
        `${first}/`,
        `./${first}x`,
        `${first}%00`,
        first.slice(1),
        `${first}%20`,
      ])
        assert.equal(
          [200].includes((await fetch(`${service.url}/debug-log/${near}`)).status) && !near.endsWith('/'),
          false,
          near,
        );
    },
  },
  {
    what: 'pipelined requests get responses in order, each for its own account',
    async run(service) {
      const requestAs = (user: string) =>
        request('GET /jobs?limit=1', [`Authorization: ${basic(user)}`]).replace('Connection: close\r\n', '');
      const last = request('GET /jobs', ['Authorization: Basic eDp5']);
      const answers = parseResponses(await sendRaw(service, requestAs('shop') + requestAs('other') + last));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 401],
      );
      assert.match(answers[0]?.body ?? '', /"account":"shop"/);
      assert.doesNotMatch(answers[1]?.body ?? '', /"account":"shop"/);
    },
  },
];
