/** Stories about the options form. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  changedOptions,
  findOption,
  openView,
  waitForServiceStatus,
  setOption,
  waitForText,
  writeHtml,
} from '../../support/console/console-page.ts';
import { attachmentsOf } from '../../support/output/attachments.ts';
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

const attached: Story = [
  'files are attached with their descriptions, and stay attached when the job is run again',
  async ({ page, download }) => {
    await setOption(page, 'tag', 'with files');
    await findOption(page, 'attachment');
    await addAttachments(page, { 'terms.txt': 'Terms', 'draft.txt': 'Draft' });
    await addAttachments(page, { 'prices.csv': 'a;b' });
    await page.getByRole('button', { name: 'Remove draft.txt' }).click();
    const names = page.getByRole('list', { name: 'attachment' }).getByRole('listitem');
    assert.match((await names.allInnerTexts()).join(' '), /^terms\.txt\s+5 bytes\s+prices\.csv\s+3 bytes$/);
    await page.getByLabel('attachment_description', { exact: true }).fill('The terms\nThe prices');
    await page.getByRole('tab', { name: 'Input' }).click();
    await writeHtml(page, '<h1>With two files</h1>');
    await waitForText(page, 'With two files');
    const expected = [
      { filename: 'prices.csv', description: 'The prices', content: 'a;b' },
      { filename: 'terms.txt', description: 'The terms', content: 'Terms' },
    ];
    assert.deepEqual(await attachmentsOf(await download()), expected);

    await runAgain(page, 'with files');
    await findOption(page, 'attachment');
    assert.match(
      (await changedOptions(page).allInnerTexts()).join(),
      /attachment\s*=\s*terms\.txt, prices\.csv/,
    );
    await page.getByRole('tab', { name: 'Input' }).click();
    await writeHtml(page, '<h1>Once more</h1>');
    await waitForText(page, 'Once more');
    assert.deepEqual(await attachmentsOf(await download()), expected);
  },
];

/** Chooses files for the option attachment with the file dialog, all of them together. */
async function addAttachments(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  const opened = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add files: attachment' }).click();
  const chooser = await opened;
  await chooser.setFiles(
    Object.entries(files).map(([name, content]) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(content),
    })),
  );
}

/** Fills the form from the newest job with the tag. */
async function runAgain(page: Page, tag: string): Promise<void> {
  await openView(page, 'Jobs');
  await page.getByRole('searchbox', { name: 'Search tag, ID or message' }).fill(tag);
  const jobs = page.getByRole('table', { name: 'Jobs, newest first' }).getByRole('row');
  await jobs.filter({ hasText: tag }).filter({ hasText: 'Converted' }).first().getByRole('link').click();
  await page.getByRole('complementary').getByRole('button', { name: 'Run again' }).click();
  await page.getByText('The form contains the values of the original job.').waitFor();
}

export const optionStories: readonly Story[] = [set, wrong, attached];
