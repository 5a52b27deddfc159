/** Reduces the page to the element to convert: the one that `element_to_convert` names, or the detected main content. */
import { Failure, shortened } from '../../../failure/failure.ts';
import { callPageScript } from '../../devtools/evaluate.ts';
import { insertCss } from '../../devtools/page-calls.ts';
import { invalidSelectors } from '../../../job/rules.ts';
import type { Loading, StepWork } from '../loading.ts';
import type { ReadabilityLevel } from '../../page-scripts/content/article.ts';
import { injectStyles } from './inject.ts';
import { loadFontsAndImages } from './load-fonts-and-images.ts';

/**
 * Returns the step that reduces the page to one element, or undefined if no option asks for it.
 * @throws Failure elementNotFound; valueNotAllowed for an invalid selector
 */
export function convertElement(loading: Loading): StepWork | undefined {
  const { element_to_convert, auto_detect_element_to_convert } = loading.run.job.options;
  // An element that the caller names takes precedence over detection.
  if (element_to_convert !== undefined) return () => cutToNamed(loading, element_to_convert);
  return auto_detect_element_to_convert ? () => cutToMainContent(loading) : undefined;
}

async function cutToNamed(loading: Loading, selectors: string): Promise<void> {
  const { window, run } = loading;
  const timeoutMs = run.jobTimeoutMs / 4;
  const { element_to_convert_mode: mode } = run.job.options;
  const found = await callPageScript(window.contents, 'element.convertElement', selectors, mode, timeoutMs);
  if (found === 'no selectors') throw invalidSelectors('element_to_convert', selectors);
  if (found === 'nowhere') {
    throw new Failure(
      'elementNotFound',
      `No element matched element_to_convert '${shortened(selectors)}' when the page was ready.`,
    );
  }
  if (found === 'page') return;
  run.log.note('element_to_convert is in a frame. The document of the frame replaced the page.', {
    code: 'content-chosen',
    options: ['element_to_convert'],
  });
  if (found === 'frame without styles')
    run.log.note(
      `The style sheets of the frame had not loaded after ${timeoutMs / 1000} s, so its document was converted without them.`,
      { code: 'late-resources', options: ['element_to_convert'] },
    );
  await injectStyles(loading);
  await loadFontsAndImages(loading);
}

async function cutToMainContent({ window, run }: Loading): Promise<void> {
  const { element_to_convert_mode: mode } = run.job.options;
  const tag = await callPageScript(window.contents, 'article.convertMainContent', mode);
  const options = ['auto_detect_element_to_convert', 'element_to_convert'];
  if (tag !== undefined)
    run.log.note(`The main content is ${shortened(tag)}`, { code: 'content-chosen', options });
  else
    run.log.note('No main content was found, so the whole page was converted.', {
      code: 'option-without-effect',
      options,
    });
}

/** `readability_enhancements`: shows only the page's article, in plain styles, like a browser's reader mode. */
export function readArticle(loading: Loading): StepWork | undefined {
  const { readability_enhancements: version } = loading.run.job.options;
  return version === 'none'
    ? undefined
    : () => showArticle(loading, Number(version.at(-1)) as ReadabilityLevel);
}

async function showArticle(loading: Loading, level: ReadabilityLevel): Promise<void> {
  const { window, run } = loading;
  const options = ['readability_enhancements'];
  const classes = run.classPrefixes.map((prefix) => `${prefix}-body`);
  const length = await callPageScript(window.contents, 'article.showArticle', level, classes);
  if (length === 0) {
    run.log.note('The page has no article, so the whole page was converted.', {
      code: 'option-without-effect',
      options,
    });
    return;
  }
  run.log.note(`The article has ${length} characters.`, { code: 'content-chosen', options });
  // insertCss puts this style sheet before that of custom_css, so custom_css can override it.
  await insertCss(window.contents, styles);
  await loadFontsAndImages(loading);
}

/** The font size grows with the layout width, so the text has the same size on paper at any width. */
const styles = `
  body { font: max(15px, 2vw) / 1.5 Georgia, 'Liberation Serif', 'Noto Serif', serif; color: #1a1a1a; background: #fff }
  h1, h2, h3, h4, h5, h6 { line-height: 1.25; break-after: avoid }
  .service-article-byline { color: #555; font-style: italic }
  img, picture, video, svg, canvas { max-width: 100%; height: auto }
  figure { margin: 1em 0; break-inside: avoid }
  figcaption { color: #555; font-size: 0.85em }
  table { border-collapse: collapse; max-width: 100% }
  th, td { border: 1px solid #bbb; padding: 0.25em 0.5em; text-align: start; vertical-align: top }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.85em; background: #f5f5f5; padding: 0.75em }
  blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid #bbb }
  a { color: #0645ad }
`;
