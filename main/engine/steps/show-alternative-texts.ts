/** `disable_image_loading`: the page shows the alternative texts of its images and no icons of broken ones. */
import { inPage } from '../in-page.ts';
import type { Loading, Work } from '../loading.ts';

const mark = 'data-platen-alternative';

/** Chromium draws its icon beside every text, and in every box that has a size; a pseudo-element can take the text's place. */
const sheet = `img[${mark}] { visibility: hidden !important }
img[${mark}]::before { content: attr(${mark}); visibility: visible !important }`;

export function showAlternativeTexts({ window, run }: Loading): Work | undefined {
  if (!run.job.options.disable_image_loading) return undefined;
  return async () => {
    await window.contents.insertCSS(sheet, { cssOrigin: 'user' });
    await inPage(window.contents, markMissing, mark);
  };
}

function markMissing(mark: string): void {
  for (const image of document.images) {
    const visible = getComputedStyle(image).visibility === 'visible';
    if (image.naturalWidth > 0 || !visible || image.hasAttribute(mark)) continue;
    image.setAttribute(mark, image.alt);
    image.alt = '';
  }
}
