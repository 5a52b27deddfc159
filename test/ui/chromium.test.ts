import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { openConsoleBrowser, type ConsoleBrowser } from '../support/console/console-browser.ts';
import { hasStoppedDrawing } from '../support/console/console-window.ts';
import { allStories } from './stories/all.ts';
import { recordForeignRequests } from './stories/outside.ts';
import { openSite } from './stories/site.ts';
import { runStories, type StoryContext } from './stories/story.ts';

describe('The interface in a browser', () => {
  let console: ConsoleBrowser;
  let place: StoryContext;
  const outside: (readonly string[])[] = [];
  before(async () => {
    console = await openConsoleBrowser();
    await show(await openSite());
  });
  after(async () => {
    await console[Symbol.asyncDispose]();
    await place.site[Symbol.asyncDispose]();
  });

  runStories(allStories, () => place);

  test('none of these tests loads a resource from another origin', () => {
    assert.deepEqual(outside.flat(), []);
  });

  async function show(site: StoryContext['site']): Promise<void> {
    const page = await console.open('boss');
    const { url } = console.service;
    outside.push(recordForeignRequests(page, url));
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    place = { is: 'browser', page, url, site, clipboard, download, recovered };
  }

  async function download(): Promise<Buffer> {
    const { page } = place;
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).first().click();
    return await readFile(await (await started).path());
  }

  async function recovered(): Promise<boolean> {
    if (!(await hasStoppedDrawing(place.page))) return false;
    await show(place.site);
    return true;
  }
});
