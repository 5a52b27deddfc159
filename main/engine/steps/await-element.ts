/** Waits until an element matching `wait_for_element` is in the page or in one of its frames. */
import { Failure } from '../../failure/failure.ts';
import { shortened } from '../../job/problem.ts';
import { longestWait } from '../../job/rules.ts';
import { pause } from '../../run.ts';
import { inPage } from '../in-page.ts';
import type { Loading } from '../loading.ts';

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
  if (found === 'invalid') {
    throw new Failure(
      'valueNotAllowed',
      `The value '${shortened(selectors)}' of wait_for_element is not allowed; allowed: a list of CSS selectors.`,
    );
  }
  return found || (await isInFrame(window.contents.mainFrame, selectors));
}

/** Electron reaches sub-frames in their own world only; a frame that does not answer has no such element. */
async function isInFrame(mainFrame: Electron.WebFrameMain, selectors: string): Promise<boolean> {
  const code = `document.querySelector(${JSON.stringify(selectors)}) !== null`;
  const frames = mainFrame.framesInSubtree.filter((frame) => frame !== mainFrame);
  if (frames.length === 0) return false;
  const answers = frames.map(
    async (frame) => (await frame.executeJavaScript(code).catch(() => false)) === true,
  );
  const silenced = new AbortController();
  const silence = pause(1000, silenced.signal).then(
    () => false,
    () => false,
  );
  const found = await Promise.all(answers.map((answer) => Promise.race([answer, silence])));
  silenced.abort();
  return found.includes(true);
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
