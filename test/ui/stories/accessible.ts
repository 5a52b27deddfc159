/** Stories about accessibility: contrast, zoom and axe audits. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import {
  findOption,
  openView,
  waitForText,
  replaceText,
  writeHtml,
} from '../../support/console/console-page.ts';
import { project } from '../../support/service/service.ts';
import type { Story } from './story.ts';

const audited: Story = [
  'axe finds no serious problem in any view, in the light and the dark scheme',
  async ({ page }) => {
    const found: string[] = [];
    // The content security policy blocks script elements, but not scripts that the debugger evaluates.
    await page.evaluate(readFileSync(join(project, 'node_modules/axe-core/axe.min.js'), 'utf8'));
    for (const [where, go] of views) {
      await go(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const fault of await page.evaluate(audit, colorScheme === 'dark'))
          found.push(`${where}, ${colorScheme}: ${fault}`);
      }
    }
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    assert.deepEqual(found, []);
  },
];

/** Runs in the page: returns the serious problems. In the dark scheme, checks only the contrast. */
async function audit(onlyColours: boolean): Promise<string[]> {
  const { axe } = window as unknown as {
    axe: { run: (context: Document, options: object) => Promise<AxeResults> };
  };
  const rules = onlyColours ? { runOnly: ['color-contrast'] } : {};
  const { violations } = await axe.run(document, { resultTypes: ['violations'], ...rules });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** The views, in the order in which they are visited. Each step continues from the previous step. */
const views: readonly (readonly [where: string, go: (page: Page) => Promise<void>])[] = [
  ['Try, empty', (page) => page.getByRole('heading', { name: 'The result appears here' }).waitFor()],
  [
    'Try with a result',
    async (page) => {
      await writeHtml(page, '<h1>For some</h1>');
      await waitForText(page, 'For some');
      // A second result, for the comparison.
      await replaceText(page, 'HTML', '<h1>For all</h1><a href="https://example.com">A link</a>');
      await waitForText(page, 'For all');
    },
  ],
  [
    'Options',
    async (page) => {
      await findOption(page, 'margin');
      await page.getByLabel('margin_top', { exact: true }).fill('much');
      await page.getByLabel('margin_top', { exact: true }).blur();
      await page
        .getByRole('alert')
        .getByText(/^Allowed: /)
        .waitFor();
    },
  ],
  [
    'Code',
    async (page) => {
      await page.getByRole('tab', { name: 'Code' }).click();
      await page.getByRole('region', { name: 'The request in curl' }).waitFor();
    },
  ],
  [
    'Explain',
    async (page) => {
      await page.getByRole('tab', { name: 'Explain' }).click();
      await page.getByRole('heading', { name: /Findings/ }).waitFor();
    },
  ],
  [
    'Template',
    async (page) => {
      await page.getByRole('tab', { name: 'Input' }).click();
      await page.getByRole('radio', { name: 'Template' }).click();
      await page.getByRole('button', { name: 'Start with a sample template' }).click();
      await page.getByText('The data contains every value that the template uses.').waitFor();
    },
  ],
  [
    'Compare',
    async (page) => {
      await openView(page, 'Compare');
      await page.getByRole('combobox', { name: 'A, before' }).waitFor();
      await page.getByRole('toolbar', { name: 'Comparison toolbar' }).waitFor();
    },
  ],
  [
    'Jobs',
    async (page) => {
      await openView(page, 'Jobs');
      await page.getByRole('table', { name: 'Jobs, newest first' }).getByRole('link').first().click();
      await page
        .getByRole('complementary')
        .getByRole('heading', { name: /Findings/ })
        .waitFor();
    },
  ],
  [
    'Accounts',
    async (page) => {
      await openView(page, 'Accounts');
      await page.getByRole('button', { name: 'boss' }).click();
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
    },
  ],
  [
    'a dialog',
    async (page) => {
      await page.getByRole('button', { name: 'Add account' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'Settings',
    async (page) => {
      await page.keyboard.press('Escape');
      await openView(page, 'Settings');
      await page.getByLabel('job-timeout', { exact: true }).waitFor();
    },
  ],
  [
    'About',
    async (page) => {
      await openView(page, 'About');
      await page.getByRole('heading', { name: 'Self-test' }).waitFor();
    },
  ],
];

const enlarged: Story = [
  'the controls of each view are reachable at a zoom of 200 %',
  async ({ page }) => {
    const size = { width: 1280, height: 800 };
    await page.setViewportSize({ width: size.width / 2, height: size.height / 2 });
    try {
      for (const { view, names } of controls) {
        await openView(page, view);
        for (const name of names)
          await page
            .getByText(name)
            .or(page.getByLabel(name))
            .or(page.getByPlaceholder(name))
            .filter({ visible: true })
            .first()
            .click({ trial: true });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        const seen = await page.evaluate(() => innerWidth);
        assert.ok(wide <= seen, `${view} is ${wide} px wide in a viewport of ${seen} px`);
      }
      await openView(page, 'Try');
      await writeHtml(page, '<h1>Large</h1>');
      await waitForText(page, 'Large');
      await page.getByRole('button', { name: 'Convert', exact: true }).click({ trial: true });
    } finally {
      await page.setViewportSize(size);
    }
  },
];

/** Controls that must be reachable by scrolling. */
const controls: readonly { readonly view: string; readonly names: readonly RegExp[] }[] = [
  {
    view: 'Try',
    names: [/^Live$/, /^PNG$/, /^Options$/, /^Code$/, /^Template$/, /^HTML$/, /^Result$/, /^Explain$/],
  },
  { view: 'Compare', names: [/^Go to Try$/] },
  { view: 'Jobs', names: [/^Search tag, ID or message$/, /^Outcome$/] },
  { view: 'Accounts', names: [/^Add account$/, /^boss$/] },
  { view: 'Settings', names: [/^Search settings$/, /^Changed$/, /^job-timeout$/] },
  { view: 'About', names: [/^Run self-test$/, /^Pause service$/, /^Dark$/, /^Deutsch$/] },
];

export const accessibleStories: readonly Story[] = [audited, enlarged];
