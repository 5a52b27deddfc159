/**
 * Marks the controls of HTML forms, so that they can be made fields of the printed PDF: where a control comes to lie on
 * paper only Chromium knows, and it tells the place of links. So every control gets an empty link over itself.
 */
import { randomUUID } from 'node:crypto';
import { insideControls } from './control-roots.ts';
import type { FormField } from './form-field.ts';
import type { Page } from './page.ts';

/**
 * The controls that are to be seen in the main frame, in the order of the document. Their values are printed no more, what
 * is on is printed off: fields show both. Changes the page for good.
 */
export async function markFormFields({ window }: Page): Promise<readonly FormField[]> {
  // Not to be guessed, so that no link of the page passes for one of ours; no host, so that none is looked up.
  const prefix = `platen-field:${randomUUID()}/`;
  return (await insideControls(window.contents.debugger, prefix)) as FormField[];
}
