/** Stories about failures and their messages. */
import {
  chooseInput,
  findOption,
  waitForServiceStatus,
  setLive,
  waitForText,
  writeHtml,
} from '../../support/console/console-page.ts';
import type { Story } from './story.ts';

const explained: Story = [
  'a failed conversion shows its reason and remedy, and its findings link to the option to change',
  async ({ page, site }) => {
    await setLive(page, false);
    await findOption(page, 'fail_on_main_url_error');
    await page.getByRole('switch', { name: 'fail_on_main_url_error' }).check();
    await page.getByRole('tab', { name: 'Input' }).click();
    await chooseInput(page, 'URL');
    await page.getByLabel('Page URL').fill(`${site.url}/nothing-here`);
    await page.keyboard.press('ControlOrMeta+Enter');
    const failure = page.getByRole('alert').filter({ hasText: 'The conversion failed' });
    await failure.getByText(/404/).first().waitFor();
    await failure.getByRole('heading', { name: 'What to do' }).waitFor();
    await failure.getByRole('button', { name: 'Show explanation' }).click();
    await page.getByRole('heading', { name: /Findings/ }).waitFor();
    await page.locator('.findings').getByRole('button', { name: 'fail_on_main_url_error' }).first().click();
    await page.waitForFunction(() => document.activeElement?.id === 'option-fail_on_main_url_error');
  },
];

const refused: Story = [
  'a URL that the network policy forbids is refused, with advice to ask the operator',
  async ({ page }) => {
    await setLive(page, false);
    await chooseInput(page, 'URL');
    await page.getByLabel('Page URL').fill('http://169.254.169.254/latest/meta-data');
    await page.keyboard.press('ControlOrMeta+Enter');
    const failure = page.getByRole('alert').filter({ hasText: 'The conversion failed' });
    await failure.waitFor();
    await failure.getByText('The network policy does not allow this address to be loaded.').waitFor();
    await failure.getByText(/Ask the operator to allow the address \(network-allow\)/).waitFor();
  },
];

const script: Story = [
  'a script error is explained next to the converted page',
  async ({ page }) => {
    await writeHtml(page, '<h1>Total</h1><script>sumOf(rows)</script>');
    await waitForText(page, 'Total');
    await page.getByRole('tab', { name: 'Explain' }).click();
    await page
      .locator('.findings')
      .getByText(/script/i)
      .first()
      .waitFor();
    await page
      .getByText(/sumOf is not defined/)
      .first()
      .waitFor();
  },
];

const cancelled: Story = [
  'Escape cancels the conversion of an endless page, and the next page is converted',
  async ({ page }) => {
    await setLive(page, false);
    await writeHtml(page, '<script>for (;;);</script>');
    await page.keyboard.press('ControlOrMeta+Enter');
    const stage = page.getByRole('list', { name: 'Conversion progress' }).locator('[aria-current=step]');
    await stage.filter({ hasText: 'Loading the page' }).waitFor();
    await waitForServiceStatus(page, '1 job');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'This run was cancelled' }).waitFor();
    await waitForServiceStatus(page, 'Ready');
    await writeHtml(page, '<h1>The next one</h1>');
    await page.keyboard.press('ControlOrMeta+Enter');
    await waitForText(page, 'The next one');
  },
];

export const failureStories: readonly Story[] = [explained, refused, script, cancelled];
