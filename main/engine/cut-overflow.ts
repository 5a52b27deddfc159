/** Keeps Chromium's print from shrinking a page whose content is wider than its layout: what is too wide is cut. */
import type { WebContents } from 'electron';
import { inPage } from './in-page.ts';

export function cutOverflow(contents: WebContents): Promise<void> {
  return inPage(contents, cut);
}

/**
 * What body cuts is no overflow of the document. Its right margin becomes padding, because the layout ends at the edge of
 * the window. And html must not leave its own overflow visible, or the body's would become the window's (CSS Overflow 3, 3.3).
 */
function cut(): void {
  const body = document.body as HTMLElement | null;
  if (body === null || document.documentElement.scrollWidth <= window.innerWidth) return;
  const { marginRight, paddingRight } = getComputedStyle(body);
  const margin = Number.parseFloat(marginRight) || 0;
  const set = (element: HTMLElement, name: string, value: string) => {
    element.style.setProperty(name, value, 'important');
  };
  set(document.documentElement, 'overflow-x', 'hidden');
  set(body, 'overflow-x', 'clip');
  if (Math.abs(body.getBoundingClientRect().right + margin - window.innerWidth) > 1) return;
  set(body, 'margin-right', '0');
  set(body, 'padding-right', `${(Number.parseFloat(paddingRight) || 0) + margin}px`);
}
