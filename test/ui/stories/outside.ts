/** What the interface asks for that is neither its own nor inside an address. */
import type { Page } from 'playwright-core';

/** Grows while the page lives. */
export function askedOutside(page: Page, origin: string): readonly string[] {
  const outside: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:blob|data|about):/.test(url)) outside.push(url);
  });
  return outside;
}
