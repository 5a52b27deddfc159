/** Secrets of every kind go through the service, and stand nowhere afterwards: a marker is in each, and everything is searched. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { table, type OptionRow } from '../../main/job/options.ts';
import { send, file, type Fields } from '../support/convert.ts';
import { startService, temporaryFolder, type Service } from '../support/service.ts';
import { serveWeb, type WebServer } from '../support/web-server.ts';

const marker = 'MARKER7f3a9c';
const key = `key-${marker}`;
const authorization = `Basic ${Buffer.from(`ann:${key}`).toString('base64')}`;

let service: Service;
let web: WebServer;
before(async () => {
  web = await serveWeb({
    // What a careless page does with what it was sent.
    '/echo': (request, response) => {
      const seen = JSON.stringify(request.headers);
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': `answer=${marker}; Path=/` });
      response.end(`<p>page</p><script>console.log(document.cookie, location.href, ${JSON.stringify(seen)});
        fetch('/api?access_token=${marker}'); throw new Error(document.cookie)</script>`);
    },
    '/protected': (request, response) => {
      const status = request.headers.authorization === undefined ? 401 : 200;
      response.writeHead(status, { 'www-authenticate': 'Basic realm="x"', 'content-type': 'text/html' });
      response.end('<p>in</p>');
    },
  });
  service = await startService({
    flags: ['--network-allow', `127.0.0.1:${web.port}`, '--accounts', `ann:${key}`, '--log-level', 'trace'],
    data: temporaryFolder(),
  });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});

/** Each secret option, in a job in which it has an effect; failing ones too. */
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
      client_certificate: file(`not a certificate ${marker}`, 'a.p12'),
      client_certificate_password: marker,
    },
    { url, http_proxy: `ann:${marker}@127.0.0.1:9` },
    { url, https_proxy: `ann:${marker}@127.0.0.1:9` },
    { url, cookies: marker, page_size: 'A9' },
    { url, user_password: marker, page_width: marker.slice(0, 2) },
    { text: `<img src="${url}?api_key=${marker}"><img src="${url.replace('://', `://ann:${marker}@`)}">` },
  ];
}

test('every option that can hold a secret is tried here', () => {
  const secret = Object.entries(table).flatMap(([name, row]: [string, OptionRow]) =>
    row.secret ? [name] : [],
  );
  const tried = new Set(jobs().flatMap((fields) => Object.keys(fields)));
  assert.deepEqual(
    secret.filter((name) => !tried.has(name)),
    [],
  );
});

test('no secret stands in the database, the logs, a debug log in any form, the metrics or the list of jobs', async () => {
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
    assert.ok(!readFileSync(path).includes(marker), `${path} holds a secret`);
  }
  assert.ok(filesUnder(service.data).some((path) => path.includes('debug-logs')));
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
