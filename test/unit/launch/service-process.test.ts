import assert from 'node:assert/strict';
import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { runService, type ServiceRun } from '../../../main/launch/service-process.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-run-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const run = (
  electron: string,
  environment: NodeJS.ProcessEnv = process.env,
  options: Partial<ServiceRun> = {},
) =>
  runService({
    runtime: { electron, application: folder },
    environment,
    stopSignal: new AbortController().signal,
    killSignals: [],
    showsOutput: true,
    hangTimeoutMs: 60_000,
    ...options,
  });

/** Returns the result of `start`, and the process that it spawned, from Node's diagnostics channel. */
function startedBy<T>(start: () => T): { readonly result: T; readonly child: ChildProcess } {
  const spawned: ChildProcess[] = [];
  const onSpawn = (message: unknown) => {
    if (message instanceof Object && 'process' in message && message.process instanceof ChildProcess)
      spawned.push(message.process);
  };
  subscribe('child_process', onSpawn);
  const result = start();
  unsubscribe('child_process', onSpawn);
  assert.ok(spawned[0]);
  return { result, child: spawned[0] };
}

describe('A run of the service', () => {
  test('whose program is missing ends with that reason', async () => {
    const { reason } = await run(join(folder, 'missing'));
    assert.match(reason ?? '', /^Electron could not be started: spawn .*ENOENT$/);
  });

  test(
    'continues after an attempt to kill it fails, and ends when the service ends',
    { skip: process.platform === 'win32' && 'a shell script replaces Electron' },
    async () => {
      const program = join(folder, 'lasting');
      writeFileSync(program, '#!/bin/sh\nsleep 1000\n', { mode: 0o700 });
      const { result: ending, child: service } = startedBy(() => run(program));
      await once(service, 'spawn');
      // The error event of Node on Windows: https://nodejs.org/api/child_process.html#event-error
      service.emit('error', Object.assign(new Error('kill EPERM'), { code: 'EPERM' }));
      service.kill('SIGTERM');
      assert.deepEqual(await ending, { reason: 'SIGTERM', isReasonReported: false, listened: undefined });
    },
  );

  test(
    'that answers but does not end after a stop request is killed in the end',
    { skip: process.platform === 'win32' && 'a script replaces Electron' },
    async () => {
      const program = join(folder, 'never-ends');
      const script = `process.send({ listening: 'http://127.0.0.1:1' });
        process.on('message', (message) => message === 'ping' && process.send('pong'));`;
      writeFileSync(program, `#!${process.execPath}\n${script}\n`, { mode: 0o700 });
      const stop = new AbortController();
      const onStarted = (service: ChildProcess) => {
        service.once('message', () => {
          stop.abort();
        });
      };
      const { reason } = await run(program, process.env, {
        stopSignal: stop.signal,
        stopTimeoutMs: 300,
        onStarted,
      });
      assert.equal(reason, 'it did not end within 0.3 s after the request to stop');
    },
  );

  test(
    'has 64 threads for DNS lookups and files, or as many as the operator sets',
    { skip: process.platform === 'win32' && 'a shell script replaces Electron' },
    async () => {
      const program = join(folder, 'prints-threads');
      const output = join(folder, 'threads');
      writeFileSync(program, `#!/bin/sh\nprintf %s "$UV_THREADPOOL_SIZE" > '${output}'\n`, { mode: 0o700 });
      const { UV_THREADPOOL_SIZE: _size, ...environment } = process.env;
      await run(program, environment);
      assert.equal(readFileSync(output, 'utf8'), '64');
      await run(program, { ...environment, UV_THREADPOOL_SIZE: '100' });
      assert.equal(readFileSync(output, 'utf8'), '100');
    },
  );

  test(
    'has the variable LC_ALL from the start, because Electron crashes now and then while it adds the variable',
    { skip: process.platform !== 'linux' && 'the crash is a fault of glibc' },
    async () => {
      const program = join(folder, 'prints-locale');
      const output = join(folder, 'locale');
      writeFileSync(program, `#!/bin/sh\nprintf %s "$LC_ALL" > '${output}'\n`, { mode: 0o700 });
      const localeWith = async (locale: NodeJS.ProcessEnv) => {
        const { LC_ALL: _all, LC_CTYPE: _ctype, LANG: _lang, ...environment } = process.env;
        await run(program, { ...environment, ...locale });
        return readFileSync(output, 'utf8');
      };
      assert.equal(await localeWith({}), 'C');
      assert.equal(await localeWith({ LANG: 'de_DE.UTF-8' }), 'de_DE.UTF-8');
      assert.equal(await localeWith({ LANG: 'de_DE.UTF-8', LC_CTYPE: 'ja_JP.UTF-8' }), 'ja_JP.UTF-8');
      assert.equal(await localeWith({ LANG: 'de_DE.UTF-8', LC_ALL: 'fr_FR.UTF-8' }), 'fr_FR.UTF-8');
    },
  );
});
