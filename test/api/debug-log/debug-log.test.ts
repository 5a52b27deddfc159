import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { send, type ConversionResponse, type Fields } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

interface Json {
  readonly job: { readonly id: string; readonly account: string; readonly tag?: string };
  readonly outcome: string;
  readonly failure?: { readonly message: string; readonly status: number; readonly stage: string };
  readonly findings: readonly { readonly code: string; readonly sentence: string }[];
  readonly events: readonly {
    readonly kind: string;
    readonly text: string;
    readonly detail?: { readonly source?: string };
  }[];
}

describe('The link to a debug log', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  const logged = async (fields: Fields): Promise<{ answer: ConversionResponse; link: string }> => {
    const answer = await send(service, { ...fields, debug_log: true });
    return { answer, link: answer.headers.get('x-service-debug-log') ?? '' };
  };
  const json = async (link: string) => (await (await fetch(`${link}.json`)).json()) as Json;

  test('serves HTML to browsers and JSON to programs, or the format that the URL names', async () => {
    const { link } = await logged({ text: 'x', tag: 'mine' });
    const typeOf = async (address: string, accept = 'text/html,*/*;q=0.8') =>
      (await fetch(address, { headers: { accept } })).headers.get('content-type');
    assert.match((await typeOf(link)) ?? '', /^text\/html/);
    assert.match((await typeOf(link, 'application/json')) ?? '', /^application\/json/);
    assert.match((await typeOf(`${link}.html`, 'application/json')) ?? '', /^text\/html/);
    assert.match((await typeOf(`${link}.json`)) ?? '', /^application\/json/);
    const { job, outcome, findings, events } = await json(link);
    assert.deepEqual([job.account, job.tag, outcome, findings], ['demo', 'mine', 'converted', []]);
    assert.deepEqual([events[0]?.kind, events.at(-1)?.kind], ['job', 'end']);
  });

  test('serves JSON and HAR files whose names contain the id of the job', async () => {
    const { answer, link } = await logged({ text: '<img src="missing.png"><p>x' });
    const id = answer.headers.get('x-service-job-id') ?? '';
    for (const form of ['json', 'har']) {
      const { headers } = await fetch(`${link}.${form}`);
      assert.equal(headers.get('content-disposition'), `attachment; filename="platen-${id}.${form}"`);
    }
    const har = (await (await fetch(`${link}.har`)).json()) as {
      log: { version: string; entries: unknown[] };
    };
    assert.equal(har.log.version, '1.2');
    assert.ok(har.log.entries.length > 0);
  });

  test('serves a page that links to its JSON and HAR with absolute URLs, which also work in a saved page', async () => {
    const { link } = await logged({ text: 'x' });
    const page = await (await fetch(link)).text();
    for (const form of ['json', 'har']) assert.ok(page.includes(`href="${link}.${form}"`), form);
  });

  test('serves a log that distinguishes the documents of headers and footers from the main document', async () => {
    const script = '<p class="service-page-number"></p><script>console.log("seen")</script>';
    const { link } = await logged({ text: 'x', header_html: '<b>Head</b>', footer_html: script });
    const { events } = await json(link);
    const requests = events.flatMap(({ kind, text }) => (kind === 'request' ? [text] : []));
    assert.deepEqual(requests, ['index.html', 'header_html', 'footer_html', 'footer_html (page 1)']);
    const line = events.find(({ kind, text }) => kind === 'console' && text === 'seen');
    assert.equal(line?.detail?.source, 'footer_html (page 1)');
  });

  test('serves a page and JSON that list the files missing from an upload', async () => {
    const { link } = await logged({ text: '<img src="img/logo.png"><p>x' });
    const { findings } = await json(link);
    const missing = findings.find(({ code }) => code === 'missing-resource');
    assert.match(missing?.sentence ?? JSON.stringify(findings), /missing from the upload: img\/logo\.png/);
    assert.ok((await (await fetch(link)).text()).includes(missing?.sentence ?? '-'));
  });

  test('serves the stage and the reason of a failure', async () => {
    const { answer, link } = await logged({ text: 'x', custom_javascript: 'throw 1' });
    assert.notEqual(answer.status, 200);
    const { outcome, failure, findings } = await json(link);
    assert.equal(outcome, 'failed');
    assert.equal(`${failure?.status}`, String(answer.status));
    assert.ok(answer.body.toString().endsWith(failure?.message ?? '-'));
    assert.equal(findings[0]?.code, 'job-failed');
    assert.ok(findings[0].sentence.startsWith(failure?.message ?? '-'));
    assert.doesNotMatch(await (await fetch(link)).text(), /No problems found/);
  });

  test('serves a Content-Security-Policy that forbids scripts and framing', async () => {
    const { link } = await logged({ text: 'x' });
    for (const address of [link, `${link}.json`, `${link}.har`]) {
      const policy = (await fetch(address)).headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; /);
      assert.match(policy, /frame-ancestors 'none'/);
    }
  });

  test('is invalid if any part of it is changed', async () => {
    const { link } = await logged({ text: 'x' });
    const strange = [
      link.slice(0, -1),
      `${link}0`,
      `${link}.pdf`,
      `${link}.json.har`,
      `${link}.`,
      `${link}/x`,
    ];
    for (const address of [...strange, link.replace(/[\da-f]{4}$/, '..%2f')])
      assert.ok([401, 404].includes((await fetch(address)).status), address);
  });
});
