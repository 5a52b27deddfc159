import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openConsoleBrowser, type ConsoleBrowser } from '../support/console-browser.ts';
import { allStories } from './stories/all.ts';
import { askedOutside } from './stories/outside.ts';
import { openSite } from './stories/site.ts';
import { tellStories, type Place } from './stories/story.ts';

describe('The interface in a browser', () => {
  let console: ConsoleBrowser;
  let place: Place;
  let outside: readonly string[] = [];
  before(async () => {
    console = await openConsoleBrowser();
    const page = await console.open('boss');
    outside = askedOutside(page, console.service.url);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    place = { is: 'browser', page, url: console.service.url, site: await openSite(), clipboard };
  });
  after(async () => {
    await console[Symbol.asyncDispose]();
    await place.site[Symbol.asyncDispose]();
  });

  tellStories(allStories, () => place);

  test('in all this nothing is loaded from outside', () => {
    assert.deepEqual(outside, []);
  });
});
