import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserTimeoutMs } from '../support/console/browser.ts';
import { chooseInput, pages, waitForText, writeHtml } from '../support/console/console-page.ts';
import {
  openConsoleWindow,
  hasStoppedDrawing,
  type ConsoleWindowSession,
} from '../support/console/console-window.ts';
import { convert } from '../support/service/convert.ts';
import { pdfText } from '../support/output/pdf.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { allStories } from './stories/all.ts';
import { recordForeignRequests } from './stories/outside.ts';
import { openSite } from './stories/site.ts';
import { reloadInterface, runStories, type StoryContext } from './stories/story.ts';

describe('The interface in the console window', () => {
  const folder = temporaryFolder();
  let window: ConsoleWindowSession;
  let page: Page;
  let place: () => StoryContext;
  const outside: (readonly string[])[] = [];
  before(async () => {
    const environment = {
      PLATEN_NETWORK_ALLOW: '127.0.0.1',
      PLATEN_ACCOUNTS: 'boss:key',
      PLATEN_DEMO: 'on',
    };
    window = await openConsoleWindow({ environment });
    await show(window.page);
    const clipboard = () => window.app.evaluate(({ clipboard }) => clipboard.readText());
    const url = window.url;
    const site = await openSite();
    place = () => ({ is: 'window', page, url, site, clipboard, download, recovered });
  });
  after(async () => {
    await window[Symbol.asyncDispose]();
    await place().site[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  runStories(allStories, () => place());

  test('a chosen file is converted again after each save', async () => {
    await reloadInterface(page);
    const path = join(folder, 'letter.html');
    writeFileSync(path, '<h1>The first draft</h1>');
    await answerDialogs(path);
    await chooseInput(page, 'File');
    await page.getByRole('button', { name: 'Choose file' }).click();
    await waitForText(page, 'The first draft');
    writeFileSync(path, '<h1>The second draft</h1>');
    await waitForText(page, 'The second draft');
  });

  test('a chosen folder is converted as a whole, and again after each save of a file in it', async () => {
    await reloadInterface(page);
    const path = join(folder, 'report');
    mkdirSync(path);
    writeFileSync(join(path, 'index.html'), '<link rel="stylesheet" href="look.css"><h1>Report</h1>');
    writeFileSync(join(path, 'look.css'), 'h1::after { content: " of March" }');
    await answerDialogs(path);
    await chooseInput(page, 'File');
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await waitForText(page, /of March/);
    writeFileSync(join(path, 'look.css'), 'h1::after { content: " of April" }');
    await waitForText(page, /of April/);
  });

  test('a file dropped from the desktop is also converted again after each save', async () => {
    await reloadInterface(page);
    const path = join(folder, 'dropped.html');
    writeFileSync(path, '<h1>Dropped</h1>');
    await dropFromDisk(page, path);
    await waitForText(page, 'Dropped');
    await page
      .getByText(
        'This file is read again for each run. When Live is on, it is converted each time you save it.',
      )
      .waitFor();
    writeFileSync(path, '<h1>Saved again</h1>');
    await waitForText(page, 'Saved again');
  });

  test('the output is saved where the user chooses', async () => {
    await reloadInterface(page);
    await writeHtml(page, '<h1>To be kept</h1>');
    await waitForText(page, 'To be kept');
    assert.equal(pdfText(await download()), 'To be kept');
  });

  test('when the window is closed, the service continues and the input is kept', async () => {
    await reloadInterface(page);
    await writeHtml(page, '<h1>Not lost</h1>');
    await waitForText(page, 'Not lost');
    const isVisible = await window.app.evaluate(({ BrowserWindow }) => {
      const [shown] = BrowserWindow.getAllWindows().filter((each) =>
        each.webContents.getURL().startsWith('platen-console:'),
      );
      shown?.close();
      return shown?.isVisible();
    });
    assert.equal(isVisible, false);
    assert.equal(pdfText(await convert(window, { text: 'Still at work' })), 'Still at work');
    assert.equal(await pages(page).getByText('Not lost').count(), 1);
  });

  test('none of these tests loads a resource from another origin', () => {
    assert.deepEqual(outside.flat(), []);
  });

  async function show(shown: Page): Promise<void> {
    page = shown;
    page.setDefaultTimeout(browserTimeoutMs);
    await page.setViewportSize({ width: 1280, height: 800 });
    outside.push(recordForeignRequests(page, 'platen-console://app'));
  }

  async function recovered(): Promise<boolean> {
    if (!(await hasStoppedDrawing(page))) return false;
    await show(await window.openAnother(page));
    return true;
  }

  async function download(): Promise<Buffer> {
    const path = join(folder, 'made.pdf');
    rmSync(path, { force: true });
    await answerDialogs(path);
    await page.getByRole('button', { name: 'Download' }).first().click();
    await page.getByText('Saved.').last().waitFor();
    return readFileSync(path);
  }

  /** Makes the native dialogs return this path. */
  function answerDialogs(path: string): Promise<void> {
    return window.app.evaluate(({ dialog }, filePath) => {
      Object.assign(dialog, {
        showOpenDialog() {
          return Promise.resolve({ canceled: false, filePaths: [filePath] });
        },
        showSaveDialog() {
          return Promise.resolve({ canceled: false, filePath });
        },
      });
    }, path);
  }
});

/** Drops a file from the desktop on the page. */
async function dropFromDisk(page: Page, path: string): Promise<void> {
  const debuggerOfPage = await page.context().newCDPSession(page);
  const where = { x: 640, y: 400, data: { items: [], files: [path], dragOperationsMask: 1 } };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await debuggerOfPage.send('Input.dispatchDragEvent', { type, ...where });
  await debuggerOfPage.detach();
}
