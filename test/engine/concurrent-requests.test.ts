import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { Failure } from '../../main/failure/failure.ts';
import { createHttpServer } from '../../main/http/server.ts';
import type { ServiceDependencies } from '../../main/http/routes/service-dependencies.ts';
import { loadSettings } from '../../main/settings/load.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Work that ends when the test wants, and counts itself. */
class Work {
  running = 0;
  #end: () => void = () => {};
  readonly #ended = new Promise<void>((resolve) => (this.#end = resolve));

  readonly run = async (): Promise<never> => {
    this.running += 1;
    await this.#ended;
    throw new Failure('notFound', 'ended');
  };

  end(): void {
    this.#end();
  }
}

describe('Of 30 concurrent requests of an account, only four work at the same time:', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-concurrent-'));
  let work = new Work();
  const run = () => work.run();
  const server = createHttpServer({
    settings: loadSettings({ flags: ['--data', folder], environment: {} }),
    prefixes: ['service'],
    log: pino({ level: 'silent' }),
    consoleFiles: folder,
    console: {},
    accounts: { authenticate: () => Promise.resolve({ id: 1, name: 'ann', operator: false }) },
    connections: {
      watch() {},
      admit() {},
      begin(_exchange: unknown, serve: () => void) {
        serve();
      },
    },
    isStopping: () => false,
    pause: { refusal: () => undefined },
    jobs: { find: () => Promise.resolve({ id: 'job' }) },
    asynchronousJobs: { refuseEarly: run, remove: run },
    metrics: { text: run },
  } as unknown as ServiceDependencies);
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });

  for (const [method, path] of [
    ['POST', '/jobs'],
    ['DELETE', '/jobs/01234567890123456789012345'],
    ['GET', '/metrics'],
  ] as const)
    test(`${method} ${path}`, async () => {
      work = new Work();
      const { port } = server.address() as AddressInfo;
      const headers = { authorization: `Basic ${Buffer.from('ann:key').toString('base64')}` };
      const responses = Array.from({ length: 30 }, () =>
        fetch(`http://127.0.0.1:${port}${path}`, { method, headers }),
      );
      await waitUntil('four requests work', () => work.running >= 4);
      // All requests have arrived when the server answers another one.
      await fetch(`http://127.0.0.1:${port}/health`);
      assert.equal(work.running, 4);
      work.end();
      for (const response of responses) assert.equal((await response).status, 404);
      assert.equal(work.running, 30);
    });
});
