/** Adds the caller's style sheet and gives the markup conventions their effect. */
import { inPage } from '../in-page.ts';
import type { Loading } from '../loading.ts';

export async function inject({ window, run }: Loading): Promise<void> {
  const classes = run.prefixes.map((prefix) => `${prefix}-body`);
  await Promise.all([
    // As a user's sheet, whose !important beats the page's own.
    window.contents.insertCSS(run.prefixes.map(conventions).join('\n'), { cssOrigin: 'user' }),
    inPage(window.contents, addToPage, classes, run.job.options.custom_css ?? '', run.limit / 4),
  ]);
}

function conventions(prefix: string): string {
  return `.${prefix}-remove { display: none !important } .${prefix}-hide { visibility: hidden !important }`;
}

/**
 * Electron's insertCSS puts a sheet before those of the page, so the caller's becomes an element after them; its imports
 * are waited for. Where the page's policy forbids that, an adopted sheet, which cannot import, does.
 */
async function addToPage(classes: string[], css: string, patience: number): Promise<void> {
  // A document that is only a picture may have no body.
  (document.body as HTMLElement | null)?.classList.add(...classes);
  if (css === '') return;
  const style = document.createElement('style');
  style.textContent = css;
  const loaded = new Promise((resolve) => {
    style.onload = resolve;
    style.onerror = resolve;
    setTimeout(resolve, patience);
  });
  document.documentElement.append(style);
  if (style.sheet !== null) {
    if (/@import/i.test(css)) await loaded;
    return;
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
