import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { after, describe, test } from 'node:test';
import type { ItemTask } from '../../../../main/cli/convert/converter.ts';
import { openRemote } from '../../../../main/cli/convert/remote.ts';

describe('A remote service', () => {
  const root = mkdtempSync(join(tmpdir(), 'platen-remote-'));
  const folder = join(root, 'run');
  const page = join(root, 'site', 'page.html');
  const output = join(root, 'page.pdf');
  after(() => {
    rmSync(root, { recursive: true });
  });
  for (const newFolder of [folder, join(root, 'site')]) mkdirSync(newFolder);
  writeFileSync(page, '<img src=a.png>');

  const task: ItemTask = {
    form: { fields: [], files: [] },
    path: join(root, 'made'),
    item: {
      input: { kind: 'file', name: 'page.html', path: page, base: join(root, 'site') },
      output,
      siblingFolder: { root: join(root, 'site'), path: 'page.html' },
    },
  };

  async function answeredBy(listener: RequestListener) {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        listener(request, response);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const remote = openRemote({ url, account: 'ann:key', folder, maxUpload: 1e6 });
    const signal = new AbortController().signal;
    return {
      convert: (changes: Partial<ItemTask['item']> = {}) =>
        remote.convert({ ...task, item: { ...task.item, ...changes } }, signal),
      url,
      changed: remote.invalidateFiles,
      [Symbol.dispose]: () => server.close(),
    };
  }

  const successHeaders = { 'x-service-reason-code': '0' };

  test('is called once, and its output is kept, even if the debug log cannot be saved', async () => {
    let calls = 0;
    using service = await answeredBy((request, response) => {
      calls += request.method === 'POST' ? 1 : 0;
      const link = `http://${request.headers.host ?? ''}/log`;
      response.writeHead(200, { ...successHeaders, 'x-service-debug-log': link });
      response.end('%PDF-');
    });
    // The path of the log is an existing folder, so the log cannot be written.
    const outcome = await service.convert({ debugLog: root });
    assert.deepEqual([outcome.kind, calls], ['converted', 1]);
    assert.equal(readFileSync(task.path, 'utf8'), '%PDF-');
  });

  test('is not called again if another program responds at its URL', async () => {
    using service = await answeredBy((_request, response) => response.end('<p>Log in to this network'));
    const outcome = await service.convert();
    assert.ok(outcome.kind === 'failed');
    assert.match(outcome.message, /not a Platen service/);
    assert.equal(outcome.retryAfter, undefined);
  });

  test(
    'does not appear in the error for a full local disk, which names the output and the cause',
    { skip: !existsSync('/dev/full') },
    async () => {
      using service = await answeredBy((_request, response) =>
        response.writeHead(200, successHeaders).end('%PDF-'),
      );
      await assert.rejects(
        openRemote({ url: service.url, account: 'ann:key', folder, maxUpload: 1e6 }).convert(
          { ...task, path: '/dev/full' },
          new AbortController().signal,
        ),
        /page\.pdf cannot be written: no space left/,
      );
    },
  );

  test(
    'can be called again after source files change; archives with the old content are deleted',
    { timeout: 60_000 },
    async () => {
      using service = await answeredBy((_request, response) =>
        response.writeHead(200, successHeaders).end('%PDF-'),
      );
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      for (let save = 0; save < 3; save += 1) {
        assert.equal((await service.convert()).kind, 'converted');
        service.changed();
      }
      while (readdirSync(folder).length > 0) await setImmediate();
    },
  );
});
