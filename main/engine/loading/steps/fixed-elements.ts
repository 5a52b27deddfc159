/**
 * Prints fixed and sticky elements once or not at all (`fixed_elements`), and moves bars at the bottom of the viewport to the end
 * of an image.
 */
import { runInPage, pageScriptCode } from '../../devtools/evaluate.ts';
import type { Loading, StepWork } from '../loading.ts';
import type { Page } from '../../page.ts';
import type { FixedElementsResult } from '../../page-scripts/scrolling/fixed.ts';

export function placeFixedElements({ window, run }: Loading): StepWork | undefined {
  const { fixed_elements: mode } = run.job.options;
  if (mode === 'keep') return undefined;
  return async () => {
    const code = await pageScriptCode('fixed', `program.placeFixedElements(${JSON.stringify(mode)})`);
    const { changed, kept } = await runInPage<FixedElementsResult>(window.contents, code);
    run.log.setStageReason(`${changed} fixed and sticky elements were changed`);
    for (const element of kept)
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
  await runInPage(window.contents, await pageScriptCode('fixed', `program.moveToImageBottom(${height})`));
}
