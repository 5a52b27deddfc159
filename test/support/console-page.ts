/** What a person does in the interface again and again, and what he looks for. */
import type { Locator, Page } from 'playwright-core';

/** Chooses a kind of input. */
export async function chooseInput(page: Page, kind: 'HTML' | 'Address' | 'File' | 'Template'): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Kind of input' }).getByRole('radio', { name: kind }).click();
}

/** Opens a view by its item of the rail. */
export async function openView(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name, exact: true }).click();
}

/** The editor of that name, once it is more than a plain field. */
export function editor(page: Page, label: string): Locator {
  return page.locator('.cm-content').and(page.getByRole('textbox', { name: label, exact: true }));
}

/** Replaces the text of an editor, as pasting does. */
export async function write(page: Page, label: string, text: string): Promise<void> {
  await editor(page, label).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}

/** Writes HTML where there was none. */
export async function writeHtml(page: Page, text: string): Promise<void> {
  const start = page.getByRole('button', { name: 'Start with a sample invoice' });
  // The view may still be on its way.
  await start
    .or(page.getByRole('textbox', { name: 'HTML', exact: true }))
    .first()
    .waitFor();
  if (await start.isVisible()) await start.click();
  await write(page, 'HTML', text);
}

/** The pages of the result that is shown. */
export function pages(page: Page): Locator {
  return page.getByRole('region', { name: 'Pages of the document' });
}

/** Resolves when the text stands on a page of the result that can be seen. */
export async function showsText(page: Page, text: string | RegExp): Promise<void> {
  await pages(page).getByText(text).first().waitFor();
}

/** Whether runs follow what is typed. */
export async function setLive(page: Page, on: boolean): Promise<void> {
  await page.getByRole('switch', { name: 'Live' }).setChecked(on);
}

/** Resolves when the service is said to be so. */
export async function serviceIs(page: Page, state: string | RegExp): Promise<void> {
  await page.getByRole('status', { name: 'State of the service' }).getByText(state).waitFor();
}

/** Opens the options and sets one of them by its field, found by searching its name. */
export async function setOption(page: Page, name: string, value: string): Promise<void> {
  await findOption(page, name);
  const field = page.getByLabel(name, { exact: true });
  if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') await field.selectOption(value);
  else await field.fill(value);
}

/** Opens the options and searches. */
export async function findOption(page: Page, words: string): Promise<void> {
  await page.getByRole('tab', { name: 'Options' }).click();
  await page.getByRole('searchbox', { name: /Search \d+ options/ }).fill(words);
}

/** The options that are said to be changed. */
export function changedOptions(page: Page): Locator {
  return page.getByRole('list', { name: 'Changed options' }).getByRole('listitem');
}

/** Drops a file on the window, as one that comes from another program. */
export async function dropFile(
  page: Page,
  { name, contents }: { name: string; contents: Buffer },
): Promise<void> {
  const held = await page.evaluateHandle(
    ({ name, base64 }) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    { name, base64: contents.toString('base64') },
  );
  const view = page.locator('main');
  await view.dispatchEvent('dragover', { dataTransfer: held });
  await page.getByText('Drop it to convert it').waitFor();
  await view.dispatchEvent('drop', { dataTransfer: held });
  await held.dispose();
}
