/** `npm run screenshots`: takes the screenshots in README.md with the running application, and saves them in docs/images/. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { pages } from '../support/console/console-page.ts';
import { openConsoleBrowser, type ConsoleBrowser } from '../support/console/console-browser.ts';
import { send } from '../support/service/convert.ts';
import { project } from '../support/service/service.ts';
import { serveWeb } from '../support/servers/web-server.ts';

const folder = join(project, 'docs', 'images');
const viewport = { width: 1280, height: 800 };

mkdirSync(folder, { recursive: true });

takeScreenshots().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

async function takeScreenshots(): Promise<void> {
  await using browser = await openConsoleBrowser();
  const page = await browser.open('boss');
  await page.setViewportSize(viewport);
  await page.getByRole('button', { name: 'Start with a sample invoice' }).click();
  await pages(page).getByText('Invoice').first().waitFor();
  await save(page, 'console.png');
  await page.goto(await debugLogOfFaultyPage(browser));
  await save(page, 'debug-log.png');
}

/** Converts a page with a missing image, a script error and a slow request, and returns the URL of its debug log. */
async function debugLogOfFaultyPage({ service }: ConsoleBrowser): Promise<string> {
  await using site = await serveWeb({
    '/': `<!doctype html><title>Quarterly report</title><h1>Quarterly report</h1><img src="/logo.png" alt="Logo">
      <p id="total">Loading</p><script>
      fetch('/total').then((response) => response.text()).then((text) => { total.textContent = text; chart.draw() })</script>`,
    '/total': (_request, response) => setTimeout(() => response.end('Total: 48,300.00'), 300),
  });
  const answer = await send(
    service,
    { url: site.url, debug_log: true },
    { authorization: `Basic ${btoa('boss:key')}` },
  );
  const link = answer.headers.get('x-service-debug-log');
  if (link === null) throw new Error(`The page was not converted: ${answer.body.toString()}`);
  return link;
}

async function save(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, name), animations: 'disabled' });
  console.log(`docs/images/${name}`);
}
