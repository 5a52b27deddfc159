/** The Nodes view, in a browser, with two nodes that share a database. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startNodes, type RunningNodes } from '../support/cluster/nodes.ts';
import { browserTimeoutMs, openBrowser } from '../support/console/browser.ts';
import { openView } from '../support/console/console-page.ts';
import { postgresMissing } from '../support/postgres/server.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('The Nodes view', { skip: postgresMissing }, () => {
  let cluster: RunningNodes;
  let browser: Browser;
  before(async () => {
    cluster = await startNodes(['left', 'right'], ['--accounts', 'boss:key,ann:key', '--workers', '1']);
    await cluster.database.updateTable('accounts').set({ operator: 1 }).where('name', '=', 'boss').execute();
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    await cluster[Symbol.asyncDispose]();
  });

  async function openConsole(username: string): Promise<Page> {
    const context = await browser.newContext({
      baseURL: cluster.nodes[0]?.url ?? '',
      locale: 'en-GB',
      viewport: { width: 1280, height: 800 },
      httpCredentials: { username, password: 'key' },
    });
    context.setDefaultTimeout(browserTimeoutMs);
    const page = await context.newPage();
    await page.goto('/');
    await page.getByRole('status', { name: 'Service status' }).getByText('Ready').waitFor();
    return page;
  }

  const rowOf = (page: Page, name: string) => page.getByRole('row', { name });

  test('lists the nodes, drains one after a confirmation, and undoes it', async () => {
    const page = await openConsole('boss');
    await openView(page, 'Nodes');
    await rowOf(page, 'left').getByText('this node').waitFor();
    await rowOf(page, 'right').getByText('Running', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Drain right', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.getByText('right accepts no further jobs.').count(), 0);
    await page.getByRole('button', { name: 'Drain right', exact: true }).click();
    await page.getByRole('dialog', { name: 'Drain right?' }).getByRole('button', { name: 'Drain' }).click();
    await rowOf(page, 'right').getByText('Drained').waitFor();
    const right = cluster.nodes[1]?.url ?? '';
    await waitUntil('the node is not ready', async () => (await fetch(`${right}/ready`)).status === 503);
    await page.getByRole('button', { name: 'Undo drain of right' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Accept jobs' }).click();
    await rowOf(page, 'right').getByText('Running', { exact: true }).waitFor();
    await waitUntil('the node is ready', async () => (await fetch(`${right}/ready`)).status === 200);
    await page.context().close();
  });

  test('is shown only to operators', async () => {
    const page = await openConsole('ann');
    assert.equal(await page.getByRole('button', { name: 'Nodes' }).count(), 0);
    await page.goto('/#nodes');
    await page.getByText('Only operators may call nodes').waitFor();
    await page.context().close();
  });

  test('shows that a killed node does not answer, until the other one has given back its jobs', async () => {
    const page = await openConsole('boss');
    await openView(page, 'Nodes');
    await cluster.nodes[1]?.kill();
    await rowOf(page, 'right')
      .getByText(/^No response for \d+ s$/)
      .waitFor();
    await rowOf(page, 'right').waitFor({ state: 'detached' });
    await page.context().close();
  });
});
