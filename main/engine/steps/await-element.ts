/** Waits until an element matching `wait_for_element` is in the page or in one of its frames. */
import { Failure } from '../../failure/failure.ts';
import { shortened } from '../../job/problem.ts';
import { longestWait } from '../../job/rules.ts';
import { pause } from '../../run.ts';
import { inFrames } from '../in-frames.ts';
import { inPage } from '../in-page.ts';
import type { Loading } from '../loading.ts';
import { noSelectors } from '../selectors.ts';

const lookEvery = 50;

/** @throws Failure elementNotFound after two thirds of the job limit; valueNotAllowed for a selector that is none. */
export async function awaitElement(loading: Loading): Promise<void> {
  const { run } = loading;
  const { wait_for_element } = run.job.options;
  if (wait_for_element === undefined) return;
  const longest = longestWait({ jobTimeout: run.limit });
  const until = performance.now() + longest;
  while (!(await isThere(loading, wait_for_element))) {
    if (performance.now() >= until) throw notFound(wait_for_element, longest);
    await pause(lookEvery, run.signal);
  }
}

async function isThere({ window }: Loading, selectors: string): Promise<boolean> {
  const found = await inPage(window.contents, look, selectors);
  if (found === 'invalid') throw noSelectors('wait_for_element', selectors);
  const code = `document.querySelector(${JSON.stringify(selectors)}) !== null`;
  return found || (await inFrames(window.contents.mainFrame, code)).includes(true);
}

function look(selectors: string): boolean | 'invalid' {
  try {
    return document.querySelector(selectors) !== null;
  } catch {
    return 'invalid';
  }
}

function notFound(selectors: string, longest: number): Failure {
  return new Failure(
    'elementNotFound',
    `No element matched wait_for_element '${shortened(selectors)}' within ${longest / 1000} s.`,
  );
}
