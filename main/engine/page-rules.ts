/** The one style sheet of ours that says on what paper a page is printed: exchanged when it changes, kept where it does not. */
import type { WebContents } from 'electron';

/** Puts the rules, CSS, into the page that is there, in place of those before. */
export type SetRules = (css: string) => Promise<void>;

export function openPageRules(contents: WebContents): SetRules {
  let inForce: { readonly css: string; readonly key: string } | undefined;
  contents.on('did-navigate', () => (inForce = undefined));
  return async (css) => {
    if (inForce?.css === css) return;
    const before = inForce;
    // Until it is known what is in force, nothing is.
    inForce = undefined;
    if (before !== undefined) await contents.removeInsertedCSS(before.key);
    inForce = { css, key: await contents.insertCSS(css) };
  };
}
