/** Stories about the colour scheme and the language. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openView } from '../../support/console/console-page.ts';
import { reloadInterface, type Story } from './story.ts';

const dark: Story = [
  'the interface keeps the chosen dark mode',
  async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    assert.ok((await lightness(page)) > 200);
    await openView(page, 'About');
    await page.getByRole('radio', { name: 'Dark' }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    assert.ok((await lightness(page)) < 60);
    await reloadInterface(page, 'about');
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    assert.ok((await lightness(page)) < 60);
    await page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'System' }).click();
    assert.ok((await lightness(page)) > 200);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.ok((await lightness(page)) < 60);
    await page.emulateMedia({ colorScheme: null });
  },
];

/** Returns the lightness of the background, from 0 to 255. */
function lightness(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    if (context === null) return -1;
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return (red + green + blue) / 3;
  });
}

const german: Story = [
  'the interface switches to German',
  async ({ page }) => {
    await openView(page, 'About');
    await page.getByRole('radio', { name: 'Deutsch' }).click();
    await page.getByRole('navigation', { name: 'Ansichten' }).getByRole('button', { name: 'Testen' }).click();
    await page.getByRole('heading', { name: 'Das Ergebnis erscheint hier' }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
    await page.getByRole('button', { name: 'Info', exact: true }).click();
    await page.getByRole('radiogroup', { name: 'Sprache' }).getByRole('radio', { name: 'System' }).click();
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
  },
];

export const appearanceStories: readonly Story[] = [dark, german];
