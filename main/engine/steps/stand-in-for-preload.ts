/** `disable_javascript` keeps page-preload.ts from running too: does its work in the page that has come, before a script of the caller's. */
import { inPage } from '../in-page.ts';
import type { Loading, Work } from '../loading.ts';

export function standInForPreload({ window, run }: Loading): Work | undefined {
  const { disable_javascript, load_iframes } = run.job.options;
  return disable_javascript ? () => inPage(window.contents, cleanUp, load_iframes === 'none') : undefined;
}

function cleanUp(frameless: boolean): void {
  window.name = '';
  try {
    window.sessionStorage.clear();
    window.localStorage.clear();
  } catch {
    // A sandboxed document has none.
  }
  if (frameless)
    for (const frame of document.querySelectorAll('iframe[srcdoc]')) frame.removeAttribute('srcdoc');
}
