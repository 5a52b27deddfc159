/** Converts with Puppeteer in the most common way: a new page, `networkidle0`, `page.pdf()`. Uses the benchmark's packages. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { peerPackages } from '../bench/candidates/peer-packages.ts';
import { paper, printScale } from '../bench/documents/document.ts';

interface PuppeteerPage {
  readonly goto: (url: string, options: object) => Promise<unknown>;
  readonly setViewport: (viewport: { readonly width: number; readonly height: number }) => Promise<void>;
  readonly pdf: (settings: object) => Promise<Uint8Array>;
  readonly close: () => Promise<void>;
}

interface PuppeteerBrowser {
  readonly newPage: () => Promise<PuppeteerPage>;
  readonly close: () => Promise<void>;
}

interface Puppeteer {
  readonly launch: (options: object) => Promise<PuppeteerBrowser>;
}

interface ChromiumPackage {
  readonly executablePath: () => Promise<string>;
}

const viewport = { width: 1024, height: 768 };

export class PuppeteerRun implements AsyncDisposable {
  readonly #browser: PuppeteerBrowser;

  private constructor(browser: PuppeteerBrowser) {
    this.#browser = browser;
  }

  /** @throws Error if the packages cannot be installed */
  static async open(): Promise<PuppeteerRun> {
    const folder = await peerPackages();
    if (folder === undefined)
      throw new Error(
        'The packages of Puppeteer and Chromium cannot be installed: check that `npm ping` reaches a registry.',
      );
    const { resolve } = createRequire(join(folder, 'package.json'));
    const load = async (name: string) =>
      ((await import(pathToFileURL(resolve(name)).href)) as { readonly default: unknown }).default;
    const puppeteer = (await load('puppeteer-core')) as Puppeteer;
    const chromium = (await load('@sparticuz/chromium')) as ChromiumPackage;
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await puppeteer.launch({
      executablePath: await chromium.executablePath(),
      headless: 'shell',
      args: [...root, '--enable-unsafe-swiftshader'],
    });
    return new PuppeteerRun(browser);
  }

  /**
   * Waits for `networkidle0` and returns a PDF. @param delay Milliseconds to wait after the load event instead.
   * @throws Error after Puppeteer's timeout of 30 s
   */
  async convert(url: string, delay?: number): Promise<Buffer> {
    const page = await this.#browser.newPage();
    try {
      await page.setViewport(viewport);
      await page.goto(url, { waitUntil: delay === undefined ? 'networkidle0' : 'load' });
      if (delay !== undefined) await sleep(delay);
      const { width, height, margin } = paper;
      const side = `${margin}in`;
      const settings = {
        width: `${width}in`,
        height: `${height}in`,
        printBackground: true,
        scale: printScale,
      };
      return Buffer.from(
        await page.pdf({ ...settings, margin: { top: side, right: side, bottom: side, left: side } }),
      );
    } finally {
      await page.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}
