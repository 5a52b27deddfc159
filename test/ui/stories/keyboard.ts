/** Stories about keyboard navigation. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { waitForText } from '../../support/console/console-page.ts';
import type { Story } from './story.ts';

const converts: Story = [
  'a sample is converted with the keyboard alone, and the focus is always visible',
  async ({ page }) => {
    await tabTo(page, /^Skip to content$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Live$/);
    await page.keyboard.press('Space');
    await tabTo(page, /^Start with a sample invoice$/);
    await page.keyboard.press('Enter');
    await page.locator('.cm-content').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await waitForText(page, 'Letterpress cards');
    await tabTo(page, /^Result$/);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: /Findings/ }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await waitForText(page, 'Letterpress cards');
    await tabTo(page, /^Document pages$/);
    await page.keyboard.press('End');
    await page.waitForFunction(() => (document.activeElement?.scrollTop ?? 0) > 0);
    await page.keyboard.press('Shift+Tab');
  },
];

interface Focus {
  readonly name: string;
  /** Whether CSS shows a focus indicator. */
  readonly shown: boolean;
}

/** Presses Tab until a control with a matching name has the focus, and asserts that each control shows its focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  while (passed.length < 80) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(focusNow);
    assert.ok(focus.shown, `the focus on '${focus.name}' is not visible`);
    if (name.test(focus.name)) return;
    passed.push(focus.name);
  }
  assert.fail(`${name.source} is not reached by Tab: ${passed.join(', ')}`);
}

/** Runs in the page: returns the focused control. */
function focusNow(): Focus {
  let at = document.activeElement as HTMLElement;
  const chain = [at];
  while (at.shadowRoot?.activeElement) chain.push((at = at.shadowRoot.activeElement as HTMLElement));
  const { width, height, bottom, right } = at.getBoundingClientRect();
  const rings = [
    ...chain.map((element) => getComputedStyle(element)),
    ...chain.map((element) => getComputedStyle(element, '::after')),
    ...chain.flatMap(({ parentElement }) => (parentElement ? [getComputedStyle(parentElement)] : [])),
  ];
  const isLit = at.getAttribute('role') === 'separator' && getComputedStyle(at).boxShadow !== 'none';
  const ringed = rings.some(
    ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1,
  );
  const label = (at as HTMLInputElement).labels?.[0]?.textContent;
  return {
    name: (at.getAttribute('aria-label') ?? label ?? at.textContent).trim().slice(0, 60),
    shown: (ringed || isLit) && width > 0 && height > 0 && bottom > 0 && right > 0,
  };
}

const splits: Story = [
  'the arrow keys move the splitter to the left and right, in both text directions',
  async ({ page }) => {
    const splitter = page.getByRole('separator');
    for (const direction of ['ltr', 'rtl']) {
      await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
      const left = async () => (await splitter.boundingBox())?.x ?? 0;
      const start = await left();
      await splitter.press('ArrowLeft');
      const moved = await left();
      assert.ok(moved < start, `${direction}: ArrowLeft moved it from ${start} to ${moved}`);
      await splitter.press('ArrowRight');
      assert.equal(await left(), start, direction);
    }
    await page.evaluate(() => (document.documentElement.dir = 'ltr'));
  },
];

export const keyboardStories: readonly Story[] = [converts, splits];
