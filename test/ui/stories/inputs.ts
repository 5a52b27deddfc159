/** Stories about each kind of input. */
import assert from 'node:assert/strict';
import {
  chooseInput,
  dropFile,
  editor,
  pages,
  waitForText,
  replaceText,
  writeHtml,
} from '../../support/console/console-page.ts';
import { zip } from '../../support/archives/zip-writer.ts';
import type { Story } from './story.ts';

const html: Story = [
  'HTML in the editor is shown as pages next to it',
  async ({ page }) => {
    await writeHtml(page, '<h1>Written by hand</h1>');
    await waitForText(page, 'Written by hand');
    await page
      .getByRole('status')
      .getByText(/^1 page · .* kB · /)
      .waitFor();
  },
];

const address: Story = [
  'a page is converted by its URL, and a URL without a scheme shows a message',
  async ({ page, site }) => {
    await chooseInput(page, 'URL');
    const field = page.getByLabel('Page URL');
    await field.fill('example.com/invoice');
    await page.getByText('Start the URL with http:// or https://.').waitFor();
    await field.fill(`${site.url}/dashboard`);
    await page.keyboard.press('ControlOrMeta+Enter');
    await waitForText(page, 'From the little site');
  },
];

const file: Story = [
  'a dropped file is converted, and can be opened in the editor',
  async ({ page }) => {
    await chooseInput(page, 'File');
    await dropFile(page, { name: 'Brief.html', contents: Buffer.from('<p>Sehr geehrte Frau Müller</p>') });
    await waitForText(page, 'Sehr geehrte Frau Müller');
    await page.getByRole('button', { name: 'Open in editor' }).click();
    assert.match(await editor(page, 'HTML').innerText(), /Frau Müller/);
  },
];

const archive: Story = [
  'an archive that is dropped on the page is converted with its styles',
  async ({ page }) => {
    const contents = zip([
      {
        name: 'index.html',
        contents: '<link rel="stylesheet" href="look.css"><p id="p">Out of an archive</p>',
      },
      { name: 'look.css', contents: '#p::after { content: " with its styles" } p { break-after: page }' },
    ]);
    await dropFile(page, { name: 'report.zip', contents });
    await page.getByRole('group', { name: 'report.zip' }).getByText('Archive').waitFor();
    await waitForText(page, /Out of an archive/);
    await waitForText(page, /with its styles/);
  },
];

const template: Story = [
  'a template is filled with its data; a missing value is marked, named and can be added',
  async ({ page }) => {
    await chooseInput(page, 'Template');
    await page.getByRole('button', { name: 'Start with a sample template' }).click();
    await waitForText(page, 'Analytical Engines Ltd');
    await page.getByText('The data contains every value that the template uses.').waitFor();
    await replaceText(page, 'Template', '<p>Dear {{customer.name}}, your number is {{customer.number}}.</p>');
    await page.getByText('1 missing value:').waitFor();
    await page
      .getByRole('alert')
      .getByText(/the data has no value 'customer.number'/)
      .waitFor();
    assert.match((await page.locator('.cm-missing').first().textContent()) ?? '', /customer\.number/);
    await page.getByRole('button', { name: 'Add empty values' }).click();
    await waitForText(page, /Dear Ada Lovelace/);
    assert.match(await editor(page, 'Data').innerText(), /"number": ""/);
  },
];

const image: Story = [
  'HTML is converted to an image when PNG is chosen',
  async ({ page }) => {
    await writeHtml(page, '<h1>Image</h1>');
    await waitForText(page, 'Image');
    await page.getByRole('radio', { name: 'PNG' }).click();
    await page.getByAltText(/^The output: an image, 1024 × \d+ pixels$/).waitFor();
    assert.equal(await pages(page).count(), 0);
  },
];

export const inputStories: readonly Story[] = [html, address, file, archive, template, image];
