/** Finds the width of the layout where it depends on the content, and measures the content where the paper depends on it. */
import { contentBox, contentHeight } from '../content-box.ts';
import { inPage } from '../in-page.ts';
import type { Loading, Work } from '../loading.ts';
import { layOutIn, viewportOf } from './emulate.ts';

/** A page that grows with its window overflows at any width. */
const mostTries = 8;
const widest = 8000;

export function fitLayout(loading: Loading): Work | undefined {
  const { layout, run } = loading;
  const { output_format, content_fit_mode, page_height } = run.job.options;
  const mode = output_format === 'pdf' ? content_fit_mode : 'auto';
  const widened = layout.width === 'balanced' || mode === 'smart-scaling' || mode === 'content-width';
  const shaped = mode === 'single-page-ratio';
  const tall = page_height === 'content' || mode === 'content-width' || mode === 'single-page';
  const measured = tall && output_format === 'pdf';
  if (!widened && !shaped && !measured) return undefined;
  return async () => {
    if (widened) await widenToContent(loading);
    if (shaped) await widenToRatio(loading);
    if (loading.layoutWidth !== layout.width)
      run.log.because(`${loading.layoutWidth} px is the width that fits the content`);
    if (measured) loading.content = await contentBox(loading.window.contents);
  };
}

/** The narrowest width at which nothing overflows. */
async function widenToContent(loading: Loading): Promise<void> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const wanted = await inPage(loading.window.contents, overflowWidth);
    if (wanted <= loading.layoutWidth || wanted > widest) return;
    await layOut(loading, wanted);
  }
}

/** The narrowest width at which the page is no taller, for its width, than the area it is printed on. */
async function widenToRatio(loading: Loading): Promise<void> {
  const { aspect } = loading.layout;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const height = await contentHeight(loading.window.contents);
    const excess = height / (loading.layoutWidth * aspect);
    if (excess <= 1) return;
    // Text that has twice the width takes half the height.
    await layOut(loading, Math.min(65_000, Math.ceil(loading.layoutWidth * Math.sqrt(excess) + 1)));
  }
}

async function layOut(loading: Loading, width: number): Promise<void> {
  loading.layoutWidth = width;
  await layOutIn(loading, viewportOf(width, loading.layout));
}

function overflowWidth(): number {
  return document.scrollingElement?.scrollWidth ?? 0;
}
