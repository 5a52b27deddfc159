/** Opens the web console in a desktop browser. It starts a service with the accounts `boss`, an operator, and `ann`. */
import type { Page } from 'playwright-core';
import { openBrowser, browserTimeoutMs } from './browser.ts';
import { openServiceDatabase } from '../service/job-record.ts';
import { startService, type Service } from '../service/service.ts';

export interface ConsoleBrowser extends AsyncDisposable {
  readonly service: Service;
  /** Opens the console with the credentials of the account, in a new browser context. */
  readonly open: (account: 'boss' | 'ann') => Promise<Page>;
}

export async function openConsoleBrowser(): Promise<ConsoleBrowser> {
  const flags = ['--network-allow', '127.0.0.1', '--accounts', 'boss:key,ann:key', '--demo', 'on'];
  const service = await startService({ flags });
  await using record = await openServiceDatabase(service);
  await record.book.change('boss', { operator: true });
  const browser = await openBrowser();
  return {
    service,
    async open(username) {
      const context = await browser.newContext({
        baseURL: service.url,
        locale: 'en-GB',
        viewport: { width: 1280, height: 800 },
        httpCredentials: { username, password: 'key' },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      context.setDefaultTimeout(browserTimeoutMs);
      const page = await context.newPage();
      await page.goto('/');
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await service[Symbol.asyncDispose]();
    },
  };
}
