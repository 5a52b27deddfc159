/**
 * A service that all test files of a process share (build/testing/batches.mjs). Files that need other settings start another
 * service.
 */
import { after } from 'node:test';
import { startService, type Service } from './service.ts';

let running: Promise<Service> | undefined;

/**
 * Resolves with the shared service. Its settings are the defaults, except that pages may load from loopback and the job timeout is
 * two minutes. It stops after the last test of the process.
 */
export function defaultService(): Promise<Service> {
  running ??= startService({ flags: ['--network-allow', '127.0.0.1,localhost', '--job-timeout', '120s'] });
  return running;
}

after(async () => {
  await (await running)?.[Symbol.asyncDispose]();
});
