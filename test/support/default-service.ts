/** A service that the test files of one process share (build/testing/batches.mjs). Files that need other settings start their own. */
import { after } from 'node:test';
import { startService, type Service } from './service.ts';

let running: Promise<Service> | undefined;

/**
 * Resolves with a service with default settings, except that its pages may reach web servers on loopback and its jobs may take two
 * minutes. It stops after the last test of the process.
 */
export function defaultService(): Promise<Service> {
  running ??= startService({ flags: ['--network-allow', '127.0.0.1,localhost', '--job-timeout', '120s'] });
  return running;
}

after(async () => {
  await (await running)?.[Symbol.asyncDispose]();
});
