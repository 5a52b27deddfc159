/** Waits until an element matching `wait_for_element` is in the page or in one of its frames. */
import { Failure } from '../../failure/failure.ts';
import { shortened } from '../../job/problem.ts';
import { longestWait } from '../../job/rules.ts';
import { pause } from '../../signals.ts';
import { inFrames } from '../in-frames.ts';
import { inPage } from '../in-page.ts';
import type { Loading, Work } from '../loading.ts';
import { noSelectors } from '../selectors.ts';

const lookEvery = 50;

/** @throws Failure elementNotFound after two thirds of the job limit; valueNotAllowed for a selector that is none. */
export function awaitElement(loading: Loading): Work | undefined {
  const { wait_for_element } = loading.run.job.options;
  return wait_for_element === undefined ? undefined : () => untilThere(loading, wait_for_element);
}

async function untilThere(loading: Loading, selectors: string): Promise<void> {
  const { run } = loading;
  const longest = longestWait({ jobTimeout: run.limit });
  const began = performance.now();
  let looks = 0;
  for (; !(await isThere(loading, selectors)); looks += 1) {
    if (performance.now() - began >= longest) throw notFound(selectors, longest);
    await pause(lookEvery, run.signal);
  }
  const found = `'${shortened(selectors)}'`;
  const after = Math.round(performance.now() - began);
  run.log.because(looks === 0 ? `${found} was there already` : `${found} came after ${after} ms`);
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
