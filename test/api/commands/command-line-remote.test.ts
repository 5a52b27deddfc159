import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import { runCommand } from '../../support/service/command.ts';
import {
  stylesheetPage,
  filesIn,
  folderWith,
  isGreen,
  page,
  style,
  type DisposableFolder,
} from '../../support/service/convert-folder.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

describe('platen convert --remote', () => {
  let service: Service;
  before(async () => (service = await defaultService()));
  const remotely = ({ path: folder }: DisposableFolder, url: string, ...words: string[]) =>
    runCommand(['convert', ...words, '--remote', url], {
      folder,
      environment: { PLATEN_ACCOUNT: 'demo:demo' },
    });

  test('converts a page with its sibling files like a local conversion', async () => {
    using folder = folderWith({
      'in/sub/page.html': stylesheetPage.replace('css/', '../css/'),
      'in/css/a.css': style('green'),
    });
    const result = await remotely(folder, service.url, 'in', '--out-dir', 'out', '--debug-log', 'logs');
    assert.equal(result.code, 0, result.error);
    assert.equal(await isGreen(readFileSync(join(folder.path, 'out', 'sub', 'page.pdf'))), true);
    assert.deepEqual(filesIn(join(folder.path, 'logs')), ['page.pdf.html']);
  });

  test('prints the reason for a refusal, but not the key', async () => {
    using folder = folderWith(page);
    const words = ['convert', 'page.html', '--remote', service.url, '--account', 'demo:wrong-key'];
    const result = await runCommand(words, { folder: folder.path });
    assert.deepEqual([result.code, filesIn(folder.path).length], [6, 2], result.error);
    assert.match(result.error, /401\.106/);
    assert.doesNotMatch(result.error, /wrong-key/);
  });

  test('retries after the time in Retry-After if the service is busy', async () => {
    let calls = 0;
    const busy = createServer((request, response) => {
      void (async () => {
        const body = await buffer(request);
        calls += 1;
        if (calls <= 2) {
          response.writeHead(503, { 'retry-after': '0', 'x-service-reason-code': '503' });
          response.end('503.503 - All is busy.');
          return;
        }
        const { authorization = '', 'content-type': type = '' } = request.headers;
        const headers = { authorization, 'content-type': type };
        const answer = await fetch(`${service.url}${request.url ?? ''}`, { method: 'POST', headers, body });
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
      })();
    });
    busy.listen(0, '127.0.0.1');
    await once(busy, 'listening');
    using folder = folderWith(page);
    const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
    const result = await remotely(folder, url, 'page.html', '-o', 'out.pdf');
    busy.close();
    assert.deepEqual([result.code, calls], [0, 3], result.error);
    assert.equal(await isGreen(readFileSync(join(folder.path, 'out.pdf'))), true);
  });

  test('exits with 4 if the service cannot be reached', async () => {
    using folder = folderWith(page);
    const result = await remotely(folder, 'http://127.0.0.1:2', 'page.html');
    assert.equal(result.code, 4, result.error);
    assert.match(result.error, /the service at .*cannot be reached/i);
  });
});
