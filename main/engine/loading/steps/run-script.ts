/** Runs the caller's scripts in the page's main world, and waits for images that they add. */
import { Failure } from '../../../failure/failure.ts';
import type { Loading, Work } from '../loading.ts';
import { withProgram } from '../../devtools/evaluate.ts';
import { loadFontsAndImages } from './load-fonts-and-images.ts';
import { settleAgain } from './settle.ts';

/** Runs on_load_javascript as soon as the page has loaded. @throws Failure scriptThrew */
export function runOnLoad(loading: Loading): Work | undefined {
  return runAtMostOnce(loading, 'on_load_javascript');
}

/** Runs custom_javascript when the page is ready. @throws Failure scriptThrew */
export function runScript(loading: Loading): Work | undefined {
  const run = runAtMostOnce(loading, 'custom_javascript');
  if (run === undefined) return undefined;
  return async () => {
    await run();
    await loadFontsAndImages(loading);
    await settleAgain(loading)?.();
  };
}

/** Runs a script only once per job: a script that navigates the page would otherwise run again on each new page. */
function runAtMostOnce(
  { window, run, done }: Loading,
  option: 'on_load_javascript' | 'custom_javascript',
): Work | undefined {
  const script = run.job.options[option];
  if (script === undefined || done.has(option)) return undefined;
  return async () => {
    done.add(option);
    // Not defined earlier, so that the page's scripts cannot detect the conversion by it.
    await window.cdp.evaluate(await library(run.prefixes));
    const error = await window.cdp.runOnce(script, option);
    if (error !== undefined) throw new Failure('scriptThrew', `${option} threw ${error}.`);
  };
}

/** Returns code that defines libService, and the same library under the name of the alias, such as libPdfcrowd. */
function library(prefixes: readonly string[]): Promise<string> {
  const names = prefixes.map((prefix) => `lib${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}`);
  const define = `Object.assign(window, Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, { ...program }])))`;
  return withProgram('library', `void ${define}`);
}
