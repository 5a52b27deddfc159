/** Sends secrets that contain a marker, and then searches everything that the service stores for the marker. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { table, type OptionRow } from '../../../main/job/options.ts';
import { send, htmlFile, type Fields } from '../../support/service/convert.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { readUnlessLocked } from '../../support/service/data-files.ts';
import { startService, temporaryFolder, type Service } from '../../support/service/service.ts';
import { serveWeb, type WebServer } from '../../support/servers/web-server.ts';

const marker = 'MARKER7f3a9c';
/** A port on which nothing listens, and which browsers do not block. */
const unusedPort = 59_999;
const key = `key-${marker}`;
const authorization = `Basic ${Buffer.from(`ann:${key}`).toString('base64')}`;

let service: Service;
let web: WebServer;
before(async () => {
  web = await serveWeb({
    // A careless page logs, sends and throws the secrets that it receives.
    '/echo': (request, response) => {
      const seen = JSON.stringify(request.headers);
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': `answer=${marker}; Path=/` });
      response.end(`<p>page</p><script>console.log(document.cookie, location.href, ${JSON.stringify(seen)});
        fetch('/api?access_token=${marker}'); throw new Error(document.cookie)</script>`);
    },
    '/own-cookie': (_request, response) => {
      const cookies = [`own=${marker}; Path=/; HttpOnly`, `readable="${marker}r"; Path=/`];
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': cookies });
      response.end(
        `<p>page</p><script>console.log(document.cookie, '${marker}'); throw '${marker}'</script>`,
      );
    },
    '/protected': (request, response) => {
      const status = request.headers.authorization === undefined ? 401 : 200;
      response.writeHead(status, { 'www-authenticate': 'Basic realm="x"', 'content-type': 'text/html' });
      response.end('<p>in</p>');
    },
  });
  service = await startService({
    flags: [
      '--network-allow',
      `127.0.0.1:${web.port},127.0.0.1:${unusedPort}`,
      '--accounts',
      `ann:${key}`,
      '--log-level',
      'trace',
    ],
    data: temporaryFolder(),
  });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});

/** Returns jobs in which each secret option has an effect, including jobs that fail. */
function jobs(): Fields[] {
  const url = `${web.url}/echo`;
  return [
    { url, cookies: `session=${marker}; other=${marker}2` },
    { url, custom_http_header: `X-Api-Token: ${marker}` },
    { url: `${web.url}/protected`, http_auth_user_name: 'ann', http_auth_password: marker },
    { url: `${url}?token=${marker}&password=${marker}`, cookies: `a=${marker}` },
    { url: url.replace('://', `://ann:${marker}@`) },
    { text: '<p>x', user_password: marker, owner_password: `${marker}o`, encrypt: true },
    {
      url,
      client_certificate: htmlFile(`not a certificate ${marker}`, 'a.p12'),
      client_certificate_password: marker,
    },
    { url, http_proxy: `ann:${marker}@127.0.0.1:9` },
    { url, https_proxy: `ann:${marker}@127.0.0.1:9` },
    { url, cookies: marker, page_size: 'A9' },
    { url, user_password: marker, page_width: marker.slice(0, 2) },
    { url: `http://ann:${marker}@127.0.0.1:9/?token=${marker}` },
    { url: `http://ann:${marker}@127.0.0.1:${unusedPort}/?token=${marker}` },
    { url: `${web.url}/own-cookie` },
    {
      text: '<p>x',
      user_password: marker,
      custom_javascript: `throw new Error('the password is ${marker}')`,
    },
    {
      text: '<p>x',
      cookies: `a=stage; b=request; c=${marker}`,
      custom_javascript: `console.log('${marker}')`,
    },
    { text: `<img src="${url}?api_key=${marker}"><img src="${url.replace('://', `://ann:${marker}@`)}">` },
  ];
}

test('every option that can contain a secret is tested', () => {
  const secret = Object.entries(table).flatMap(([name, row]: [string, OptionRow]) =>
    row.secret ? [name] : [],
  );
  const tried = new Set(jobs().flatMap((fields) => Object.keys(fields)));
  assert.deepEqual(
    secret.filter((name) => !tried.has(name)),
    [],
  );
});

test('no secret is in the database, logs, debug logs, metrics or the list of jobs', async () => {
  const seen: string[] = [];
  const get = async (address: string, accept: string) => {
    const answer = await fetch(address, { headers: { authorization, accept } });
    seen.push(await answer.text());
  };
  for (const fields of jobs()) {
    const { headers } = await send(service, { ...fields, debug_log: true }, { authorization });
    const link = headers.get('x-service-debug-log') ?? '';
    assert.match(link, /debug-log/, JSON.stringify(fields));
    await get(link, 'text/html');
    await get(link, 'application/json');
    await get(`${link}.har`, '*/*');
  }
  await send(
    service,
    { text: 'x' },
    { authorization: `Basic ${Buffer.from(`ann:${marker}x`).toString('base64')}` },
  );
  await get(`${service.url}/metrics`, '*/*');
  await get(`${service.url}/jobs?limit=500`, '*/*');
  assert.match(seen.join(), /platen_jobs_total/);
  for (const text of seen) assert.doesNotMatch(text, new RegExp(marker), text.slice(0, 20_000));
  assert.doesNotMatch(service.log(), new RegExp(marker));
  for (const path of filesUnder(service.data)) {
    assert.ok(!readUnlessLocked(path).includes(marker), `${path} contains a secret`);
  }
  assert.ok(filesUnder(service.data).some((path) => path.includes('debug-logs')));
});

test('a debug log remains valid if secrets are words of its format', async () => {
  const answer = await send(
    service,
    {
      text: '<script>console.log("said: stage")</script><p>x',
      debug_log: true,
      cookies: 'a=stage; b=request; c=options; d=note; e=data; f=network; g=console; h=text; i=converted',
    },
    { authorization },
  );
  const { events, html } = await readDebugLog(answer);
  const kinds = new Set(events.map(({ kind }) => kind));
  for (const kind of ['job', 'options', 'stage', 'request', 'console', 'end'] as const)
    assert.ok(kinds.has(kind), kind);
  assert.match(html, /said: \*\*\*/);
});

test('cookies that are too long are refused with their length, and appear in no log', async () => {
  const cookies = Array.from({ length: 100_000 }, (_, index) => `c${index}=${marker}${index}`).join(';');
  const answer = await send(service, { text: '<p>x', cookies, debug_log: true }, { authorization });
  assert.match(answer.body.toString(), /^400\.311 - .*\bcookies\b.*16,000/);
  const { html } = await readDebugLog(answer);
  assert.doesNotMatch(html, new RegExp(marker));
});

test('a lone surrogate in a secret, or at its end, causes no internal error', async () => {
  const long = `${web.url}/echo?token=`;
  const cut = long + 'a'.repeat(4000 - long.length - 1) + '😀bcdefgh';
  assert.equal((await send(service, { url: cut }, { authorization })).status, 200);
  const part = (name: string, type = '') =>
    `--xyz\r\ncontent-disposition: form-data; name="${name}"\r\n${type}\r\n`;
  const half = Buffer.from([0x61, 0, 0x3d, 0, 0, 0xd8, 0x62, 0, 0x63, 0, 0x64, 0]);
  const body = Buffer.concat([
    Buffer.from(part('cookies', 'content-type: text/plain; charset=utf-16le\r\n')),
    half,
    Buffer.from(`\r\n${part('text')}<p>x\r\n--xyz--\r\n`),
  ]);
  const headers = { authorization, 'content-type': 'multipart/form-data; boundary=xyz' };
  const answer = await fetch(`${service.url}/convert/24.04/`, { method: 'POST', body, headers });
  assert.ok(answer.status < 500, await answer.text());
  const { jobs: listed } = (await (
    await fetch(`${service.url}/jobs?limit=1`, { headers: { authorization } })
  ).json()) as { jobs: { outcome: string }[] };
  assert.notEqual(listed[0]?.outcome, 'interrupted');
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
