import assert from 'node:assert/strict';
import { test } from 'node:test';
import express, { type Request } from 'express';
import fc from 'fast-check';
import { baseUrlFor } from '../../../../main/http/security/base-url.ts';
import { loadSettings } from '../../../../main/settings/load.ts';
import { serve } from '../serving.ts';

function serveBaseUrl(...flags: string[]) {
  const settings = loadSettings({ flags: ['--data', '/no/such/folder', ...flags], environment: {} });
  const app = express();
  app.use((request, response) => void response.send(baseUrlFor(request, settings)));
  return serve(app);
}

test('links start with the setting base-url for any request', async () => {
  await using at = await serveBaseUrl('--base-url', 'https://pdf.example.com/x/');
  assert.equal((await at.get({ host: 'localhost:1' })).body, 'https://pdf.example.com/x');
});

test("links start with the request's Host when it is a loopback name or the listening address", async () => {
  await using at = await serveBaseUrl('--host', 'Platen.example');
  for (const host of [
    'localhost',
    'LOCALHOST:8730',
    '127.0.0.1:9',
    '127.9.9.9',
    '[::1]:80',
    'platen.example:8730',
    'PLATEN.example',
  ]) {
    assert.equal((await at.get({ host })).body, `http://${host}`, host);
  }
});

test('links start with the listening address for any other Host', async () => {
  await using at = await serveBaseUrl();
  const wicked = [
    'evil.example',
    'evil.example:8730',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'localhost@evil.example',
    'evil.example/localhost',
    'localhost:80@evil.example',
    'localhost:80:80',
    'xlocalhost',
    '[::1',
    '',
    '__proto__',
    'localhost/',
    'localhost<script>',
  ];
  for (const host of wicked) assert.equal((await at.get({ host })).body, `http://127.0.0.1:${at.port}`, host);
});

test("links of a client that uses the service as a proxy start with the service's address", async () => {
  await using at = await serveBaseUrl();
  const getByProxy = (host: string, target: string) => at.get({ host }, { path: target });
  const here = `127.0.0.1:${at.port}`;
  assert.equal((await getByProxy('127.0.0.1', 'http://127.0.0.1:80/convert/')).body, `http://${here}`);
  assert.equal((await getByProxy('LOCALHOST:80', 'HTTP://localhost/convert/')).body, `http://${here}`);
  assert.equal(
    (await getByProxy('localhost:9000', 'http://localhost:80/convert/')).body,
    'http://localhost:9000',
  );
  assert.equal((await getByProxy(here, `http://${here}/convert/`)).body, `http://${here}`);
});

test('links are valid URLs that fit into a header, whatever Host contains', () => {
  const settings = loadSettings({
    flags: ['--data', '/no/such/folder', '--host', 'platen'],
    environment: {},
  });
  const socket = { localAddress: '127.0.0.1', localPort: 8730 };
  const hosts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }).map((text) => `localhost:${text}`),
    fc.string({ unit: 'binary' }).map((text) => `platen${text}`),
  );
  fc.assert(
    fc.property(hosts, fc.string(), (host, originalUrl) => {
      const request = { headers: { host }, socket, originalUrl } as unknown as Request;
      assert.match(baseUrlFor(request, settings), /^http:\/\/(localhost|platen|127\.0\.0\.1)(:\d+)?$/i);
    }),
  );
});
