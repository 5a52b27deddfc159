/** Stories of an operator: settings, accounts, pausing, the self-test. */
import assert from 'node:assert/strict';
import {
  openView,
  waitForServiceStatus,
  setLive,
  waitForText,
  writeHtml,
} from '../../support/console/console-page.ts';
import { basic } from '../../support/service/job-record.ts';
import { reloadInterface, type Story } from './story.ts';

const setting: Story = [
  'an operator can save only an allowed value of a setting, and can reset it to its default',
  async ({ page }) => {
    await openView(page, 'Settings');
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('job-timeout');
    const field = page.getByLabel('job-timeout', { exact: true });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await field.fill('soon');
    await page
      .getByRole('alert')
      .getByText(/^Allowed: /)
      .waitFor();
    await save.click();
    assert.equal(await page.getByText('Changed: job-timeout.').count(), 0);
    await field.fill('95s');
    await save.click();
    await page.getByText('Changed: job-timeout.').waitFor();
    await reloadInterface(page, 'settings');
    assert.equal(await field.inputValue(), '95s');
    await page.getByRole('button', { name: 'Reset job-timeout to its default' }).click();
    await save.click();
    await page.getByText('Changed: job-timeout.').waitFor({ state: 'detached' });
  },
];

const account: Story = [
  'the key of a new account is shown once, and authenticates requests',
  async ({ page, url }) => {
    await openView(page, 'Accounts');
    await page.getByRole('button', { name: 'Add account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('press office');
    await page.getByText('Allowed: 1 to 64 letters, digits and . _ @ -').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('press-office');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Key for press-office' });
    await dialog.getByText('Save the key now. It is shown only once.').waitFor();
    const key = await dialog.locator('code').nth(1).innerText();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have saved the key' }).click();
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    assert.ok(!(await page.content()).includes(key));
    const requestWith = (used: string) =>
      fetch(`${url}/jobs`, { headers: { authorization: basic('press-office', used) } });
    assert.deepEqual([(await requestWith(key)).status, (await requestWith(`${key}x`)).status], [200, 401]);
  },
];

const paused: Story = [
  'a service paused in the About view is shown as paused in the Try view, and can be resumed there',
  async ({ page }) => {
    await setLive(page, false);
    await writeHtml(page, '<h1>After the pause</h1>');
    await openView(page, 'About');
    await page.getByRole('button', { name: 'Pause service' }).click();
    await openView(page, 'Try');
    await page.getByText('New jobs are refused until an operator resumes the service.').waitFor();
    await waitForServiceStatus(page, 'Paused');
    const convert = page.getByRole('button', { name: 'Convert', exact: true });
    assert.equal(await convert.getAttribute('aria-disabled'), 'true');
    await page.getByRole('button', { name: 'Resume' }).click();
    await waitForServiceStatus(page, 'Ready');
    await convert.click();
    await waitForText(page, 'After the pause');
  },
];

const selfTest: Story = [
  'an operator runs the self-test, and sees the result of each check',
  async ({ page }) => {
    await openView(page, 'About');
    await page.getByRole('button', { name: 'Run self-test' }).click();
    await page.getByText('The self-test is running').waitFor();
    await page.getByText(/^All checks passed/).waitFor({ timeout: 120_000 });
    assert.ok((await page.locator('.self-test-table tbody tr').count()) > 5);
  },
];

export const operatorStories: readonly Story[] = [setting, account, paused, selfTest];
