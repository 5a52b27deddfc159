/** A minimal conversion service: HTTP and a new browser context for each request. A separate program. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Wanted } from '../documents/document.ts';
import { fitViewport, openBrowser, produce, type PeerBrowser } from './puppeteer-browser.ts';
import { takeOrders, tellProblem } from './take-orders.ts';

interface ConversionRequest {
  readonly html: string;
  readonly wanted: Wanted;
}

begin().catch(tellProblem);

async function begin(): Promise<void> {
  const browser = await openBrowser();
  const server = createServer((request, response) => {
    answer(browser, request).then(
      (bytes) => response.end(bytes),
      (problem: unknown) => response.writeHead(500).end(String(problem)),
    );
  });
  // The same keep-alive time as Platen, so that callers reuse their connections between laps.
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    takeOrders(() => Promise.resolve([]), `http://127.0.0.1:${port}/`);
  });
}

async function answer(browser: PeerBrowser, request: IncomingMessage): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { html, wanted } = JSON.parse(Buffer.concat(parts).toString()) as ConversionRequest;
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await fitViewport(page, wanted);
    await page.setContent(html);
    return await produce(page, wanted);
  } finally {
    await context.close();
  }
}
