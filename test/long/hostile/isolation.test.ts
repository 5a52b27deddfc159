import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { makeCertificates } from '../../support/servers/certificates.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';
import { openSite, type Site } from './isolation/site.ts';
import { groups, together } from './isolation/states.ts';
import { during, visit, type IsolationContext } from './isolation/visit.ts';
import { windowOptions } from './isolation/window-options.ts';

const limited = { timeout: 120_000 };
const flags = (workers: number) => [
  '--workers',
  String(workers),
  '--network-allow',
  '127.0.0.1,localhost',
  '--log-format',
  'json',
];

let site: Site;
before(async () => (site = await openSite()));
after(() => site[Symbol.asyncDispose]());

describe('State of a job is gone in the next job of its window', () => {
  let service: Service;
  let context: IsolationContext;
  before(async () => {
    service = await startService({ flags: flags(1) });
    context = { service, site };
  });
  after(() => service[Symbol.asyncDispose]());

  for (const [group, states] of Object.entries(groups))
    test(`${group}: ${states.map(({ what }) => what).join(', ')}`, limited, async () => {
      const { plant, probe } = together(states);
      const clean = await visit(context, probe);
      const planted = await visit(context, `${plant}; { ${probe} }`);
      allDiffer(planted.found, clean.found);
      assert.deepEqual(parsed((await visit(context, probe)).found), parsed(clean.found));
    });

  for (const { fields, probe } of windowOptions)
    test(`changes to the window by ${Object.keys(fields).join(' and ')}`, limited, async () => {
      const clean = await visit(context, probe);
      const planted = await visit(context, probe, fields);
      assert.notEqual(planted.found, clean.found, 'nothing was planted');
      assert.equal((await visit(context, probe)).found, clean.found);
    });

  test('trust in an invalid certificate', limited, async () => {
    await using web = await serveWeb({ '/': answerAnyOrigin }, makeCertificates().server);
    const script = `return fetch('${web.url}/').then(({ status }) => status, () => 'none')`;
    assert.equal((await visit(context, script)).found, '"none"');
    assert.equal((await visit(context, script, { verify_ssl_certificates: false })).found, '200');
    assert.equal((await visit(context, script)).found, '"none"');
  });

  test('timers, frames and unload requests of a page', limited, async () => {
    await using ticking = await openTicking();
    const tick = `fetch('${ticking.url}/tick?' + Math.random(), { keepalive: true, mode: 'no-cors' })`;
    const frame = JSON.stringify(`<script>setInterval(() => ${tick}, 5)</script>`).replaceAll('</', '<\\/');
    const plant = `setInterval(() => ${tick}, 5); addEventListener('pagehide', () => setInterval(() => ${tick}, 5));
      const f = document.createElement('iframe'); f.srcdoc = ${frame}; document.body.append(f); await ${tick}`;
    await visit(context, plant);
    assert.ok(ticking.ticks.length > 0, 'nothing was planted');
    await visit(context, 'return 1');
    const last = performance.now();
    await visit(context, 'return soon(new Promise(() => {}))');
    assert.deepEqual(
      ticking.ticks.filter((at) => at > last),
      [],
    );
  });

  test('pending requests of a page that was closed, and the cookie in their responses', limited, async () => {
    await using ticking = await openTicking();
    const tick = `fetch('${ticking.url}/tick', { keepalive: true, mode: 'no-cors', credentials: 'include' })`;
    await visit(context, `for (let n = 0; n < 300; n += 1) void ${tick}; await ${tick}`);
    assert.ok(ticking.ticks.length > 0, 'nothing was planted');
    await visit(context, 'return 1');
    const last = performance.now();
    const script = "await soon(new Promise(() => {})); return (await fetch('/echo')).text()";
    assert.doesNotMatch((await visit(context, script)).found, /late=planted/);
    assert.deepEqual(
      ticking.ticks.filter((at) => at > last),
      [],
    );
  });

  test('console messages in the debug log', limited, async () => {
    const word = `planted${randomUUID().replaceAll('-', '')}`;
    const plant = `setInterval(() => console.log('${word}'), 5); addEventListener('pagehide', () => console.log('${word}')); await soon(new Promise(() => {}))`;
    const planted = await visit(context, plant, { debug_log: true });
    assert.ok((await readDebugLog(planted.answer)).html.includes(word), 'nothing was planted');
    const next = await visit(context, 'return soon(new Promise(() => {}))', { debug_log: true });
    assert.ok(!(await readDebugLog(next.answer)).html.includes(word));
  });

  test('although all these jobs use the same window', () => {
    assert.doesNotMatch(service.log(), /a window is replaced|could not be cleaned|"level":[56]0/);
  });
});

describe('State of a job is invisible to a concurrent job', () => {
  let service: Service;
  let context: IsolationContext;
  before(async () => {
    service = await startService({ flags: flags(2) });
    context = { service, site };
  });
  after(() => service[Symbol.asyncDispose]());

  for (const [group, states] of Object.entries(groups))
    test(`${group}: ${states.map(({ what }) => what).join(', ')}`, limited, async () => {
      const { plant, probe } = together(states);
      const clean = await visit(context, probe);
      const concurrent = await during(context, `${plant}; { ${probe} }`, () => visit(context, probe));
      allDiffer(concurrent.held, clean.found);
      assert.deepEqual(parsed(concurrent.result.found), parsed(clean.found));
    });
});

/** Starts a server that records the times of its requests and sets a cookie. */
async function openTicking() {
  const ticks: number[] = [];
  const web = await serveWeb({
    '/tick': (request, response) => {
      ticks.push(performance.now());
      response.setHeader('set-cookie', 'late=planted');
      answerAnyOrigin(request, response);
    },
  });
  return { ticks, url: web.url, [Symbol.asyncDispose]: () => web[Symbol.asyncDispose]() };
}

function answerAnyOrigin(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*').end('x');
}

const parsed = (found: string) => JSON.parse(found) as Readonly<Record<string, unknown>>;

/** Asserts that every kind of state was planted. Otherwise, its absence in the next job would prove nothing. */
function allDiffer(planted: string, clean: string): void {
  const plantedResults = parsed(planted);
  const cleanResults = parsed(clean);
  for (const [what, found] of Object.entries(plantedResults))
    assert.notDeepEqual(found, cleanResults[what], `not planted: ${what}`);
}
