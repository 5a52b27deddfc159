/**
 * Prints fixed and sticky elements once or not at all (`fixed_elements`), and moves bars at the bottom of the viewport to the end
 * of an image.
 */
import { callPageScript } from '../../devtools/evaluate.ts';
import type { Loading, StepWork } from '../loading.ts';
import type { Page } from '../../page.ts';

export function placeFixedElements({ window, run }: Loading): StepWork | undefined {
  const { fixed_elements: mode } = run.job.options;
  if (mode === 'keep') return undefined;
  return async () => {
    const { changed, notHidden } = await callPageScript(window.contents, 'fixed.placeFixedElements', mode);
    run.log.setStageReason(`${changed} fixed and sticky elements were changed`);
    for (const element of notHidden)
      run.log.note(
        `${element} is fixed in the viewport and contains most of the page's text, so fixed_elements did not hide it.`,
        { code: 'option-without-effect', options: ['fixed_elements'] },
      );
  };
}

/**
 * Moves bars at the bottom of the viewport to the end of an image that is `height` CSS pixels high. An image of a whole page is
 * higher than the viewport, so such a bar would otherwise appear in the middle of the image.
 */
export async function moveFixedToEnd({ window }: Page, height: number): Promise<void> {
  await callPageScript(window.contents, 'fixed.moveToImageBottom', height);
}
