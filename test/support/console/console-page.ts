/** User actions and locators for tests of the console. */
import type { Locator, Page } from 'playwright-core';

/** Chooses the type of the input. */
export async function chooseInput(page: Page, kind: 'HTML' | 'URL' | 'File' | 'Template'): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Input type' }).getByRole('radio', { name: kind }).click();
}

/** Opens a view with its button in the side bar. */
export async function openView(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name, exact: true }).click();
}

/**
 * Returns a locator of the code editor with that label. It does not match the plain text field shown until the editor has loaded.
 */
export function editor(page: Page, label: string): Locator {
  return page.locator('.cm-content').and(page.getByRole('textbox', { name: label, exact: true }));
}

/** Replaces the text of an editor by pasting. */
export async function replaceText(page: Page, label: string, text: string): Promise<void> {
  await editor(page, label).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}

/** Enters HTML into an empty editor. */
export async function writeHtml(page: Page, text: string): Promise<void> {
  const start = page.getByRole('button', { name: 'Start with a sample invoice' });
  // The view may still be loading.
  await start
    .or(page.getByRole('textbox', { name: 'HTML', exact: true }))
    .first()
    .waitFor();
  if (await start.isVisible()) await start.click();
  await replaceText(page, 'HTML', text);
}

/** Returns a locator of the region that shows the pages of the current result. */
export function pages(page: Page): Locator {
  return page.getByRole('region', { name: 'Document pages' });
}

/** Waits until the text is visible on a page of the result. */
export async function waitForText(page: Page, text: string | RegExp): Promise<void> {
  await pages(page).getByText(text).first().waitFor();
}

/** Turns live preview on or off. */
export async function setLive(page: Page, on: boolean): Promise<void> {
  await page.getByRole('switch', { name: 'Live' }).setChecked(on);
}

/** Waits until the service status shows this text. */
export async function waitForServiceStatus(page: Page, state: string | RegExp): Promise<void> {
  await page.getByRole('status', { name: 'Service status' }).getByText(state).waitFor();
}

/** Opens the options, searches for the option, and sets its field. */
export async function setOption(page: Page, name: string, value: string): Promise<void> {
  await findOption(page, name);
  const field = page.getByLabel(name, { exact: true });
  if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') await field.selectOption(value);
  else await field.fill(value);
}

/** Opens the options and enters a search. */
export async function findOption(page: Page, words: string): Promise<void> {
  await page.getByRole('tab', { name: 'Options' }).click();
  await page.getByRole('searchbox', { name: /Search \d+ options/ }).fill(words);
}

/** Returns a locator of the options marked as changed. */
export function changedOptions(page: Page): Locator {
  return page.getByRole('list', { name: 'Changed options' }).getByRole('listitem');
}

/** Drops a file on the page, as from another program. */
export async function dropFile(
  page: Page,
  { name, contents }: { name: string; contents: Buffer },
): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ({ name, base64 }) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    { name, base64: contents.toString('base64') },
  );
  const view = page.locator('main');
  await view.dispatchEvent('dragover', { dataTransfer });
  await page.getByText('Drop to convert').waitFor();
  await view.dispatchEvent('drop', { dataTransfer });
  await dataTransfer.dispose();
}
