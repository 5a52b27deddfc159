/** A window of the loop, which converts at the cost of Electron alone. Runs in Electron. */
import { once } from 'node:events';
import { BrowserWindow, type WebContents } from 'electron';
import type { PrintableContents } from '../../../main/engine/window/electron-adapter.ts';
import { paper, printScale, type ExpectedPdf, type ExpectedImage } from '../documents/document.ts';
import type { LoopMode } from './loop-start.ts';
import type { Worker } from './ipc-worker.ts';

export type FrameRate = 'slow' | 'full';

/** The frame rates that the service uses (main/engine/window/window.ts): slow for static documents, full for scripts and images. */
const framesPerSecond = { slow: 1, full: 60 } as const;

export async function openLoopWindow(rate: FrameRate, mode: LoopMode): Promise<Worker> {
  const window = new BrowserWindow({
    show: false,
    width: 1024,
    height: 1448,
    webPreferences: { offscreen: { deviceScaleFactor: 1 }, backgroundThrottling: false, spellcheck: false },
  });
  const { webContents: contents } = window;
  contents.setFrameRate(framesPerSecond[rate]);
  await contents.loadURL('about:blank');
  contents.debugger.attach('1.3');
  let viewport = '';
  const view = async ({ width, height, whole }: ExpectedImage) => {
    const size = { width, height: whole ? Math.round(width * 0.75) : height };
    if (viewport !== JSON.stringify(size))
      await contents.debugger.sendCommand('Emulation.setDeviceMetricsOverride', {
        ...size,
        screenWidth: size.width,
        screenHeight: size.height,
        deviceScaleFactor: 1,
        mobile: false,
      });
    viewport = JSON.stringify(size);
  };
  return async ({ html, url, marksReady, expected }) => {
    if (expected.kind === 'image') await view(expected);
    if (mode === 'write') await contents.executeJavaScript(writing(html));
    else await contents.loadURL(url);
    if (marksReady) await contents.executeJavaScript(`(${waitUntilMarked.toString()})()`);
    const output = await (expected.kind === 'image'
      ? capture(contents, expected)
      : print(contents, expected));
    if (mode === 'leave') await showEmptyPage(contents);
    return output;
  };
}

/** Also waits for `did-stop-loading`, which would otherwise end the next `loadURL` with an error. */
async function showEmptyPage(contents: WebContents): Promise<void> {
  const stopped = once(contents, 'did-stop-loading');
  await contents.loadURL('about:blank');
  await stopped;
}

function writing(html: string): string {
  return `(${writeDocument.toString()})(${JSON.stringify(html)})`;
}

/** Runs in the page: replaces its document, and waits for fonts and images. */
async function writeDocument(html: string): Promise<void> {
  document.open();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- document.write is the method to measure
  document.write(html);
  document.close();
  const arrived = (image: HTMLImageElement) =>
    image.complete ||
    new Promise((resolve) => {
      image.onload = image.onerror = resolve;
    });
  await Promise.all([document.fonts.ready, ...[...document.images].map(arrived)]);
}

/** Runs in the page: waits until the page's script sets data-ready on the root element. */
async function waitUntilMarked(): Promise<void> {
  const root = document.documentElement;
  if (root.hasAttribute('data-ready')) return;
  await new Promise<void>((resolve) => {
    new MutationObserver(() => {
      resolve();
    }).observe(root, { attributeFilter: ['data-ready'] });
  });
}

function print(contents: WebContents, { footer }: ExpectedPdf): Promise<Buffer> {
  const native = contents as PrintableContents;
  const { margin } = paper;
  const footerHtml =
    '<div style="font-size:8px;width:100%;text-align:center">Page <span class="pageNumber"></span> of <span class="totalPages"></span></div>';
  const headerFooterOptions = {
    displayHeaderFooter: footer,
    headerTemplate: '<i></i>',
    footerTemplate: footerHtml,
  };
  const settings = {
    ...headerFooterOptions,
    landscape: false,
    printBackground: true,
    scale: printScale,
    pageRanges: '',
  };
  if (native._printToPDF === undefined)
    return contents.printToPDF({
      ...settings,
      pageSize: { width: paper.width, height: paper.height },
      margins: { top: margin, right: margin, bottom: margin, left: margin },
    });
  const margins = { marginTop: margin, marginRight: margin, marginBottom: margin, marginLeft: margin };
  return native._printToPDF({
    ...settings,
    ...margins,
    paperWidth: paper.width,
    paperHeight: paper.height,
    preferCSSPageSize: false,
    generateTaggedPDF: false,
    generateDocumentOutline: false,
    requestID: Math.floor(Math.random() * 2 ** 31),
  });
}

async function capture(contents: WebContents, { width, height }: ExpectedImage): Promise<Buffer> {
  const clip = { x: 0, y: 0, width, height, scale: 1 };
  const { data } = (await contents.debugger.sendCommand('Page.captureScreenshot', {
    format: 'png',
    clip,
    captureBeyondViewport: true,
  })) as { data: string };
  return Buffer.from(data, 'base64');
}
