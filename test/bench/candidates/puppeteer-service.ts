/** The program of the candidate `peer`: a minimal HTTP service that creates a new browser context for each request. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExpectedOutput } from '../documents/document.ts';
import { fitViewport, openBrowser, produce, type PeerBrowser } from './puppeteer-browser.ts';
import { serveRequests, replyWithProblem } from './ipc-worker.ts';

begin().catch(replyWithProblem);

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
    serveRequests(() => Promise.resolve([]), `http://127.0.0.1:${port}/`);
  });
}

async function answer(browser: PeerBrowser, request: IncomingMessage): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { html, expected } = JSON.parse(Buffer.concat(parts).toString()) as {
    readonly html: string;
    readonly expected: ExpectedOutput;
  };
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await fitViewport(page, expected);
    await page.setContent(html);
    return await produce(page, expected);
  } finally {
    await context.close();
  }
}
