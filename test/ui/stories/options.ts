/** Stories about the options form. */
import assert from 'node:assert/strict';
import {
  changedOptions,
  findOption,
  waitForServiceStatus,
  setOption,
  waitForText,
  writeHtml,
} from '../../support/console/console-page.ts';
import type { Story } from './story.ts';

const set: Story = [
  'an option can be found by search, set, seen among the changed options, and reset',
  async ({ page }) => {
    await writeHtml(page, '<h1>Wide</h1>');
    await waitForText(page, 'Wide');
    await findOption(page, 'landscape');
    const landscape = page
      .getByRole('radiogroup', { name: 'orientation' })
      .getByRole('radio', { name: 'landscape' });
    await landscape.click();
    assert.match((await changedOptions(page).allInnerTexts()).join(), /^orientation\s*=\s*landscape/);
    await page.locator('.sheet').filter({ visible: true }).first().waitFor();
    await page.waitForFunction(isWide);
    await page.getByRole('button', { name: 'Reset orientation to its default' }).click();
    await page.waitForFunction(() => {
      const { offsetWidth, offsetHeight } = document.querySelector<HTMLElement>('.sheet') ?? document.body;
      return offsetHeight > offsetWidth;
    });
    await page.getByText('All options have their default values.').waitFor();
  },
];

function isWide(): boolean {
  const { offsetWidth, offsetHeight } = document.querySelector<HTMLElement>('.sheet') ?? document.body;
  return offsetWidth > offsetHeight && document.querySelector('.sheet') !== null;
}

const wrong: Story = [
  'an invalid value shows an error at its field, and prevents the conversion',
  async ({ page }) => {
    await writeHtml(page, '<h1>Margins</h1>');
    await waitForText(page, 'Margins');
    await setOption(page, 'margin_top', 'much');
    const field = page.getByLabel('margin_top', { exact: true });
    await field.blur();
    await page
      .getByRole('alert')
      .getByText(/^Allowed: /)
      .waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await page.getByRole('button', { name: '1 invalid option' }).waitFor();
    assert.equal(
      await page.getByRole('button', { name: 'Convert', exact: true }).getAttribute('aria-disabled'),
      'true',
    );
    await field.fill('2in');
    await page.getByRole('button', { name: '1 invalid option' }).waitFor({ state: 'detached' });
    await waitForServiceStatus(page, 'Ready');
  },
];

export const optionStories: readonly Story[] = [set, wrong];
