import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openConsoleBrowser, type ConsoleBrowser } from '../support/console/console-browser.ts';
import { openView, waitForServiceStatus, waitForText, writeHtml } from '../support/console/console-page.ts';
import { reloadInterface } from './stories/story.ts';

describe('The interface', () => {
  let console: ConsoleBrowser;
  let ann: Page;
  let boss: Page;
  before(async () => {
    console = await openConsoleBrowser();
    ann = await console.open('ann');
    boss = await console.open('boss');
  });
  after(() => console[Symbol.asyncDispose]());
  const views = (page: Page) =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('button').allInnerTexts();
  const jobs = (page: Page) => page.getByRole('table', { name: 'Jobs, newest first' }).getByRole('row');

  test('shows an account its permitted views, and an operator all views', async () => {
    await waitForServiceStatus(ann, 'Ready');
    await waitForServiceStatus(boss, 'Ready');
    assert.deepEqual(await views(ann), ['Try', 'Compare', 'Jobs', 'About']);
    assert.deepEqual(await views(boss), ['Try', 'Compare', 'Jobs', 'Accounts', 'Settings', 'About']);
    await openView(ann, 'About');
    await ann.getByRole('heading', { name: 'Preferences' }).waitFor();
    assert.equal(await ann.getByRole('button', { name: 'Pause service' }).count(), 0);
    assert.equal(await ann.getByText(console.service.data).count(), 0);
  });

  test('shows instructions in empty views', async () => {
    await openView(ann, 'Jobs');
    await ann.getByRole('heading', { name: 'No jobs yet' }).waitFor();
    await ann.getByRole('button', { name: 'Go to Try' }).click();
    await ann.getByRole('tab', { name: 'Explain' }).click();
    await ann
      .getByText(
        'Convert something to see what was loaded, how long each stage took and what needs attention.',
      )
      .waitFor();
    await openView(ann, 'Compare');
    await ann.getByRole('button', { name: 'Go to Try' }).click();
    await ann.getByRole('heading', { name: 'Enter HTML' }).waitFor();
  });

  test('shows an account its own jobs, and an operator all jobs', async () => {
    for (const page of [ann, boss]) {
      await reloadInterface(page);
      await writeHtml(page, '<h1>Mine</h1>');
      await waitForText(page, 'Mine');
      await openView(page, 'Jobs');
      await jobs(page).filter({ hasText: 'Converted' }).first().waitFor();
    }
    await jobs(boss).filter({ hasText: 'ann' }).first().waitFor();
    await boss.getByRole('combobox', { name: 'Account' }).selectOption('ann');
    await jobs(boss).filter({ hasText: 'boss' }).first().waitFor({ state: 'detached' });
    await jobs(boss).filter({ hasText: 'ann' }).first().getByRole('link').click();
    await boss
      .getByRole('complementary')
      .getByRole('heading', { name: /Findings/ })
      .waitFor();
    assert.equal(await jobs(ann).filter({ hasText: 'boss' }).count(), 0);
    const [, id = ''] = /jobs\/(.+)/.exec(boss.url()) ?? [];
    await reloadInterface(ann, `jobs/${id}`);
    await ann.getByRole('complementary').getByText('Converted').first().waitFor();
  });

  test('refuses operator views to other accounts', async () => {
    await reloadInterface(ann, 'accounts');
    await ann.getByRole('heading', { name: 'The data could not be loaded' }).waitFor();
    await reloadInterface(ann, 'settings');
    await ann.getByRole('heading', { name: 'The data could not be loaded' }).waitFor();
  });

  test('reports a stopped service with a remedy, and keeps the input', async () => {
    await reloadInterface(boss);
    await writeHtml(boss, '<h1>Kept</h1>');
    await waitForText(boss, 'Kept');
    await console.service.stop();
    await boss
      .getByRole('alert')
      .getByText(/start it with “npm start” or from the applications menu/)
      .waitFor();
    await waitForServiceStatus(boss, 'No response');
    await boss
      .getByRole('button', { name: 'Convert', exact: true })
      .and(boss.locator('[aria-disabled=true]'))
      .waitFor();
    await waitForText(boss, 'Kept');
    for (const view of ['Jobs', 'Accounts', 'Settings', 'About']) {
      await openView(boss, view);
      await boss.getByRole('alert').getByText('The service is not responding').first().waitFor();
    }
    await openView(boss, 'Try');
    await waitForText(boss, 'Kept');
  });
});
