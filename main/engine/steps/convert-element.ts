/** Leaves only the element to convert: the one `element_to_convert` names, or the main content, found by its structure. */
import { Failure } from '../../failure/failure.ts';
import { shortened } from '../../job/problem.ts';
import { runInPage } from '../in-page.ts';
import type { Loading, Work } from '../loading.ts';
import { withProgram } from '../page-program.ts';
import type { Found } from '../programs/element.ts';
import { noSelectors } from '../selectors.ts';
import { inject } from './inject.ts';
import { settle } from './settle.ts';

/** @throws Failure elementNotFound; valueNotAllowed for a selector that is none. */
export function convertElement(loading: Loading): Work | undefined {
  const { element_to_convert, auto_detect_element_to_convert } = loading.run.job.options;
  // What the caller names is surer than what is found.
  if (element_to_convert !== undefined) return () => cutToNamed(loading, element_to_convert);
  return auto_detect_element_to_convert ? () => cutToMainContent(loading) : undefined;
}

async function cutToNamed(loading: Loading, selectors: string): Promise<void> {
  const { window, run } = loading;
  const parameters = [selectors, run.job.options.element_to_convert_mode, run.limit / 4];
  const call = `program.convertElement(...${JSON.stringify(parameters)})`;
  const found = await runInPage<Found>(window.contents, await withProgram('element', call));
  if (found === 'no selectors') throw noSelectors('element_to_convert', selectors);
  if (found === 'nowhere') {
    throw new Failure(
      'elementNotFound',
      `No element matched element_to_convert '${shortened(selectors)}' when the page was ready.`,
    );
  }
  if (found === 'page') return;
  run.log.note('element_to_convert is in a frame, whose document took the place of the page.', {
    code: 'content-chosen',
    options: ['element_to_convert'],
  });
  await inject(loading);
  await settle(loading);
}

async function cutToMainContent({ window, run }: Loading): Promise<void> {
  const mode = JSON.stringify(run.job.options.element_to_convert_mode);
  const code = await withProgram('article', `program.convertMainContent(${mode})`);
  const tag = await runInPage<string | undefined>(window.contents, code);
  const options = ['auto_detect_element_to_convert', 'element_to_convert'];
  if (tag !== undefined)
    run.log.note(`The main content is ${shortened(tag)}`, { code: 'content-chosen', options });
  else
    run.log.note('No main content was found; the page is left as it is.', {
      code: 'option-without-effect',
      options,
    });
}
