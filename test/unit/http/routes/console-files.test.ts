import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import express from 'express';
import { pagePolicy } from '../../../../main/console/page-policy.ts';
import { toFailure } from '../../../../main/failure/failure.ts';
import { consoleAsset, consolePage } from '../../../../main/http/routes/console-routes.ts';
import { securityHeaders } from '../../../../main/http/response/respond.ts';
import { serve, type TestResponse } from '../serving.ts';

const files = {
  'index.html': '<!doctype html>page',
  'secret.txt': 'outside',
  'console/assets/index-Ab3_dE5f.js': 'script',
  'console/assets/pdf.worker-Ab3_dE5f.mjs': 'worker',
  'console/assets/look-Ab3_dE5f.css': 'style',
  'console/assets/openjpeg.wasm': 'wasm',
  'console/assets/icon.svg': '<svg/>',
  'console/assets/cmaps/78-H.bcmap': 'map',
  'console/assets/.hidden': 'hidden',
};

// A dot folder, like .build.
const folder = join(mkdtempSync(join(tmpdir(), 'platen-console-')), '.build', 'renderer');
let served: Awaited<ReturnType<typeof serve>>;
before(async () => {
  mkdirSync(join(folder, 'console', 'assets', 'cmaps'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const app = express();
  app.use(securityHeaders());
  app.get('/', consolePage(folder));
  app.get('/console/assets/*path', consoleAsset(folder));
  app.use(((problem, _request, response, _next) => {
    const { status, message } = toFailure(problem);
    response.status(status).type('text').send(message);
  }) as express.ErrorRequestHandler);
  served = await serve(app);
});
after(async () => {
  await served[Symbol.asyncDispose]();
  rmSync(join(folder, '..', '..'), { recursive: true });
});

const get = (path: string, headers = {}) => served.get(headers, { path });

test('the service serves the console page with its content security policy and no-store', async () => {
  const { status, headers, body } = await get('/');
  assert.deepEqual([status, body], [200, files['index.html']]);
  assert.equal(headers['content-security-policy'], pagePolicy);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-content-type-options'], 'nosniff');
});

const types: readonly (readonly [name: string, type: string])[] = [
  ['index-Ab3_dE5f.js', 'text/javascript; charset=utf-8'],
  ['pdf.worker-Ab3_dE5f.mjs', 'text/javascript; charset=utf-8'],
  ['look-Ab3_dE5f.css', 'text/css; charset=utf-8'],
  ['openjpeg.wasm', 'application/wasm'],
  ['icon.svg', 'image/svg+xml'],
  ['cmaps/78-H.bcmap', 'application/octet-stream'],
];
for (const [name, type] of types)
  test(`${name} is served as ${type}, with the content security policy of the page`, async () => {
    const { status, headers, body } = await get(`/console/assets/${name}`);
    assert.deepEqual([status, body], [200, files[`console/assets/${name}` as keyof typeof files]]);
    assert.equal(headers['content-type'], type);
    assert.equal(headers['content-security-policy'], pagePolicy);
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

test('only browsers cache console files, without revalidation if the name contains a hash', async () => {
  const hashed = await get('/console/assets/index-Ab3_dE5f.js');
  assert.equal(hashed.headers['cache-control'], 'private, max-age=31536000, immutable');
  const unhashed = await get('/console/assets/openjpeg.wasm');
  assert.equal(unhashed.headers['cache-control'], 'private, no-cache');
  const again = await get('/console/assets/openjpeg.wasm', { 'if-none-match': unhashed.headers.etag });
  assert.equal(again.status, 304);
});

test('the service serves no console file outside the folder, and no hidden file or folder', async () => {
  const paths = [
    '../secret.txt',
    '..%2fsecret.txt',
    '%2e%2e/secret.txt',
    '..%5csecret.txt',
    'cmaps/../../secret.txt',
    '.hidden',
    'cmaps',
    'cmaps/',
    'no-such.js',
    '%00',
    encodeURIComponent(join(folder, 'secret.txt')),
  ];
  for (const path of paths) {
    const { status, body, headers } = await get(`/console/assets/${path}`);
    assert.equal(status, 404, path);
    assert.ok(!body.includes('outside') && !body.includes(folder), path);
    assert.equal(headers['cache-control'], 'no-store');
    assert.match(headers['content-type'] ?? '', /^text\/plain/);
  }
});

test('the service responds to a HEAD request for a console file', async () => {
  const answer = await new Promise<Pick<TestResponse, 'status' | 'headers'>>((resolve, reject) => {
    const path = '/console/assets/index-Ab3_dE5f.js';
    const request = http.request({ method: 'HEAD', host: '127.0.0.1', port: served.port, path });
    request.once('error', reject).once('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    });
    request.end();
  });
  assert.deepEqual([answer.status, answer.headers['content-length']], [200, '6']);
});
