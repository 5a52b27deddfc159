/** `content_viewport_width=balanced`: the narrowest width, from the print area up, at which nothing overflows. */
import { inPage } from '../in-page.ts';
import type { Loading } from '../loading.ts';
import { viewportOf } from './emulate.ts';

/** A page that grows with its window overflows at any width. */
const mostTries = 8;
const widest = 8000;

export async function fitWidth(loading: Loading): Promise<void> {
  const { window, layout, run } = loading;
  if (layout.width !== 'balanced') return;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const wanted = await inPage(window.contents, contentWidth);
    if (wanted <= loading.layoutWidth || wanted > widest) break;
    loading.layoutWidth = wanted;
    const viewport = viewportOf(wanted, layout.aspect);
    await window.cdp.setViewport(viewport);
    window.emulated = { ...window.emulated, viewport };
  }
  run.log.note(`Balanced: laid out ${loading.layoutWidth} px wide.`);
}

function contentWidth(): number {
  return document.scrollingElement?.scrollWidth ?? 0;
}
