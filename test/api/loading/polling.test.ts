/** Pages that ask a server again and again until it has finished a job, with default options unless a test says otherwise. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { before, describe, test } from 'node:test';
import { defaultService } from '../../support/service/default-service.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { send, type ConversionResponse, type Fields } from '../../support/service/convert.ts';
import { serveWeb } from '../../support/servers/web-server.ts';
import type { Service } from '../../support/service/service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const usualJobMs = 2000;

/**
 * Converts a page that asks for the percentage of a job, which begins with the first request. `/percentage` answers with 200, the other
 * paths with the status in their name until the job has ended.
 */
async function sendPage(code: string, jobMs = usualJobMs, options: Fields = {}): Promise<ConversionResponse> {
  let began: number | undefined;
  const percentage = () => {
    began ??= Date.now();
    return Math.min(100, Math.floor(((Date.now() - began) / jobMs) * 100));
  };
  const answerWith = (status: number) => (_request: unknown, response: ServerResponse) => {
    const done = percentage();
    response.writeHead(done < 100 ? status : 200, { 'retry-after': '1' }).end(String(done));
  };
  const page = `<p id="p">Report</p><script>const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const done = () => { p.textContent = 'done' }; const ask = async (init, path = '/percentage') => Number(await (await fetch(path, init)).text());
    ${code}</script>`;
  await using web = await serveWeb({
    '/': page,
    '/percentage': answerWith(200),
    '/202': answerWith(202),
    '/429': answerWith(429),
    '/503': answerWith(503),
  });
  return await send(service, { url: web.url, ...options });
}

const loop = (show: string, init = 'undefined', pauseMs = 250) =>
  `(async () => { for (let n; (n = await ask(${init})) < 100; await wait(${pauseMs})) { ${show} } done() })()`;

describe('a page shows the result of a job for which it polls', () => {
  const retry = (
    path: string,
  ) => `(async () => { for (;;) { const response = await fetch('${path}'); if (response.status === 200) return done();
    await wait(response.headers.get('retry-after') * 1000) } })()`;
  const pages: Readonly<Record<string, string>> = {
    'and shows its percentage': loop(`p.textContent = 'Generating ' + n + ' %'`),
    'and shows steps in its own words': loop(`p.textContent = 'Baking slice ' + Math.floor(n / 10)`),
    'and shows a bar': loop(`p.style.width = n + '%'`),
    'and shows nothing of it': loop(''),
    'with long pauses': loop('', 'undefined', 1000),
    'with POST': loop('', `{ method: 'POST', body: JSON.stringify({ job: 7 }) }`),
    'with different addresses': `(async () => { for (let n = 0; await ask(undefined, '/percentage?n=' + n) < 100; n++) await wait(200); done() })()`,
    'with a repeating timer': `const timer = setInterval(async () => { if (await ask() < 100) return; clearInterval(timer); done() }, 250)`,
    'with XMLHttpRequest': `const send = () => { const request = new XMLHttpRequest(); request.open('GET', '/percentage?_=' + Date.now());
      request.onload = () => { if (request.responseText === '100') done(); else setTimeout(send, 250) }; request.send() }; send()`,
    'as Retry-After says after 202': retry('/202'),
    'as Retry-After says after 429': retry('/429'),
    'as Retry-After says after 503': retry('/503'),
  };
  for (const [how, code] of Object.entries(pages))
    test(how, async () => {
      const answer = await sendPage(code);
      assert.equal(pdfText(answer.body), 'done');
      assert.doesNotMatch(answer.headers.get('x-service-note-codes') ?? '', /not-quiet|endless-activity/);
    });
});

describe('if a job takes longer, a finding advises a settle limit with which its result is there:', () => {
  const pages: Readonly<Record<string, readonly [code: string, noteCode: string]>> = {
    'a page that shows its percentage': [loop(`p.textContent = 'Generating ' + n + ' %'`), 'not-quiet'],
    'a page that shows nothing of it': [loop(''), 'endless-activity'],
  };
  for (const [which, [code, noteCode]] of Object.entries(pages))
    test(which, async () => {
      const early = await sendPage(code, usualJobMs, { settle_limit: 1000, debug_log: true });
      assert.notEqual(pdfText(early.body), 'done');
      const { events } = await readDebugLog(early);
      const note = events.find(({ kind, detail }) => kind === 'note' && detail.code === noteCode);
      assert.match(note?.text ?? '', /\/percentage/);
      const [, advised = ''] = /settle_limit=(\d+)/.exec(note?.text ?? '') ?? [];
      const later = await sendPage(code, usualJobMs, { settle_limit: advised });
      assert.equal(pdfText(later.body), 'done');
    });
});

test('a page whose server always answers 503 is converted with its error', async () => {
  const code = `(async () => { for (let n = 0; n < 3; n++) { if ((await fetch('/503')).ok) return done(); await wait(100) } p.textContent = 'sorry' })()`;
  const answer = await sendPage(code, Infinity);
  assert.equal(pdfText(answer.body), 'sorry');
});
