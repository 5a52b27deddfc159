/** Records requests of the interface to other origins. */
import type { Page } from 'playwright-core';

/** Returns the requested URLs of other origins; the list grows while the page is open. */
export function recordForeignRequests(page: Page, origin: string): readonly string[] {
  const outside: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:blob|data|about):/.test(url)) outside.push(url);
  });
  return outside;
}
