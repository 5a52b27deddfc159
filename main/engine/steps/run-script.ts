/** Runs the caller's scripts in the page's own world, and waits for the images they may have added. */
import { Failure } from '../../failure/failure.ts';
import type { Loading, Work } from '../loading.ts';
import { withProgram } from '../page-program.ts';
import { settle } from './settle.ts';

/** As soon as the page has loaded. @throws Failure scriptThrew */
export function runOnLoad(loading: Loading): Work | undefined {
  return runAtMostOnce(loading, 'on_load_javascript');
}

/** When the page is ready. @throws Failure scriptThrew */
export function runScript(loading: Loading): Work | undefined {
  const run = runAtMostOnce(loading, 'custom_javascript');
  if (run === undefined) return undefined;
  return async () => {
    await run();
    await settle(loading);
  };
}

/** A script that sends the page elsewhere would run there again, and again. */
function runAtMostOnce(
  { window, run, done }: Loading,
  option: 'on_load_javascript' | 'custom_javascript',
): Work | undefined {
  const script = run.job.options[option];
  if (script === undefined || done.has(option)) return undefined;
  return async () => {
    done.add(option);
    // Only now, so that a page cannot tell from it that it is being converted, and act on that.
    await window.cdp.evaluate(await library(run.prefixes));
    const error = await window.cdp.runOnce(script, option);
    if (error !== undefined) throw new Failure('scriptThrew', `${option} threw ${error}.`);
  };
}

/** libService, and the same as libPdfcrowd where that is the alias. */
function library(prefixes: readonly string[]): Promise<string> {
  const names = prefixes.map((prefix) => `lib${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}`);
  const define = `Object.assign(window, Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, { ...program }])))`;
  return withProgram('library', `void ${define}`);
}
