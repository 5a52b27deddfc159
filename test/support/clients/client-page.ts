/** Runs the client package in a browser page, which imports its files as modules from a web server. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../console/browser.ts';
import { serveWeb, type Routes, type WebServer } from '../servers/web-server.ts';

/** Serves an empty page and the client's files. The service must allow the server's origin in `cors-origins`. */
export function serveClient(dist: string): Promise<WebServer> {
  const files = readdirSync(dist, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.js'));
  const routes: Routes = Object.fromEntries(
    files.map((name) => [
      `/${name.replaceAll('\\', '/')}`,
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(dist, name)));
      },
    ]),
  );
  return serveWeb({ '/': '<!doctype html><title>ours</title>', ...routes });
}

/** Evaluates an expression in the page. It can use `PlatenClient`, `PlatenError`, and `url`, the URL of the service. */
export async function evaluateInPage(site: WebServer, url: string, expression: string): Promise<unknown> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(site.url);
    return await page.evaluate(
      `import('/index.js').then(({ PlatenClient, PlatenError }) => (async (url) => ${expression})('${url}'))`,
    );
  } finally {
    await browser.close();
  }
}
