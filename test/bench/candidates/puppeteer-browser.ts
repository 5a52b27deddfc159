/** Starts the browser of the peers and converts documents with it. Runs in the peers' programs, in the folder of their packages. */
import { paper, printScale, type ExpectedOutput } from '../documents/document.ts';

/** The environment variable that contains the number of pages of puppeteer-loop.ts. */
export const pagesVariable = 'PLATEN_BENCH_PAGES';

export interface PeerPage {
  readonly goto: (url: string) => Promise<unknown>;
  readonly setContent: (html: string) => Promise<void>;
  readonly setViewport: (viewport: { readonly width: number; readonly height: number }) => Promise<void>;
  readonly pdf: (settings: object) => Promise<Uint8Array>;
  readonly screenshot: (settings: object) => Promise<Uint8Array>;
}

export interface PeerBrowser {
  readonly newPage: () => Promise<PeerPage>;
  readonly createBrowserContext: () => Promise<
    Pick<PeerBrowser, 'newPage'> & { readonly close: () => Promise<void> }
  >;
  readonly close: () => Promise<void>;
}

interface Packages {
  readonly puppeteer: { readonly launch: (options: object) => Promise<PeerBrowser> };
  readonly chromium: { readonly executablePath: () => Promise<string> };
}

/** Starts the browser. When the benchmark disconnects, the browser and this program end. */
export async function openBrowser(): Promise<PeerBrowser> {
  const { puppeteer, chromium } = await packages();
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await puppeteer.launch({
    executablePath: await chromium.executablePath(),
    headless: 'shell',
    args: [...root, '--disable-gpu', '--font-render-hinting=none'],
  });
  const end = () => {
    void browser.close().finally(() => process.exit(0));
  };
  process.once('disconnect', end);
  if (!process.connected) end();
  return browser;
}

/**
 * Imports the packages. The names are variables, because the compiler cannot resolve packages that are installed next to the
 * compiled program.
 */
async function packages(): Promise<Packages> {
  const puppeteer = 'puppeteer-core';
  const chromium = '@sparticuz/chromium';
  const load = async (name: string) => ((await import(name)) as { readonly default: unknown }).default;
  return { puppeteer: await load(puppeteer), chromium: await load(chromium) } as Packages;
}

/** Prints or captures the document that the page has loaded, and returns the output. */
export async function produce(page: PeerPage, expected: ExpectedOutput): Promise<Uint8Array> {
  if (expected.kind === 'image') return await page.screenshot({ type: 'png', fullPage: expected.whole });
  const { width, height, margin } = paper;
  const sides = { top: `${margin}in`, right: `${margin}in`, bottom: `${margin}in`, left: `${margin}in` };
  const size = { width: `${width}in`, height: `${height}in`, margin: sides };
  const headerFooterOptions = {
    headerTemplate: '<i></i>',
    footerTemplate: numbered,
    displayHeaderFooter: expected.footer,
  };
  const settings = {
    ...size,
    ...headerFooterOptions,
    scale: printScale,
    printBackground: true,
    tagged: false,
  };
  return await page.pdf({ ...settings, timeout: 0 });
}

const numbered =
  '<div style="font-size:8px;width:100%;text-align:center">Page <span class="pageNumber"></span> of <span class="totalPages"></span></div>';

/** Sets the viewport for a document that is converted to an image. */
export async function fitViewport(page: PeerPage, expected: ExpectedOutput): Promise<void> {
  if (expected.kind !== 'image') return;
  const { width, height, whole } = expected;
  await page.setViewport({ width, height: whole ? Math.round(width * 0.75) : height });
}
