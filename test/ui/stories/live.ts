/** Stories about the live preview. */
import assert from 'node:assert/strict';
import { pages, waitForText, replaceText, writeHtml } from '../../support/console/console-page.ts';
import type { Story } from './story.ts';

const follows: Story = [
  'the live preview updates after an edit, and keeps its scroll position',
  async ({ page }) => {
    await writeHtml(page, sixPages('as it was'));
    await waitForText(page, 'Page 1 as it was');
    await page.getByLabel('Page number, 1 to 6').fill('4');
    await page.keyboard.press('Enter');
    await waitForText(page, 'Page 4 as it was');
    await pages(page).evaluate((region) => {
      region.scrollBy(0, 37);
    });
    const before = await scrolled();
    await replaceText(page, 'HTML', sixPages('as it is now'));
    await waitForText(page, 'Page 4 as it is now');
    assert.equal(await page.getByLabel('Page number, 1 to 6').inputValue(), '4');
    assert.ok(Math.abs((await scrolled()) - before) <= 2, `${await scrolled()} is not ${before}`);

    function scrolled(): Promise<number> {
      return pages(page).evaluate((region) => region.scrollTop);
    }
  },
];

function sixPages(words: string): string {
  const pages = [1, 2, 3, 4, 5, 6].map((number) => `<h1>Page ${number} ${words}</h1>`);
  return `<style>h1 + h1 { break-before: page }</style>${pages.join('')}`;
}

export const liveStories: readonly Story[] = [follows];
