/** Shows the page's article in plain styles, as a browser's reader mode does. */
import { runInPage } from '../in-page.ts';
import type { Loading, Work } from '../loading.ts';
import { withProgram } from '../page-program.ts';
import { settle } from './settle.ts';

export function readArticle(loading: Loading): Work | undefined {
  const { readability_enhancements: version } = loading.run.job.options;
  return version === 'none' ? undefined : () => showArticle(loading, Number(version.at(-1)));
}

async function showArticle(loading: Loading, version: number): Promise<void> {
  const { window, run } = loading;
  const options = ['readability_enhancements'];
  const classes = run.prefixes.map((prefix) => `${prefix}-body`);
  const parameters = [version, classes];
  const call = `program.showArticle(...${JSON.stringify(parameters)})`;
  const length = await runInPage<number>(window.contents, await withProgram('article', call));
  if (length === 0) {
    run.log.note('The page has no article; it is left as it is.', {
      code: 'option-without-effect',
      options,
    });
    return;
  }
  run.log.note(`The article has ${length} characters.`, { code: 'content-chosen', options });
  // Before custom_css, which may change it.
  await window.contents.insertCSS(styles);
  await settle(loading);
}

/** The text is as large on paper whatever the width of the layout. */
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
