/** Waits until the page has settled, for `javascript_delay`, or for `wait_for_element`. */
import { pause } from '../../../async/signals.ts';
import type { Loading, StepWork } from '../loading.ts';
import { PageSettler } from '../page-settler.ts';
import { Failure, shortened } from '../../../failure/failure.ts';
import { invalidSelectors, maxWaitMs } from '../../../job/rules.ts';
import { runInFrames, callInPage } from '../../devtools/evaluate.ts';

/** Waits for `javascript_delay` or, without that option, until the page has settled. */
export function settle(loading: Loading): StepWork | undefined {
  const { run } = loading;
  const { javascript_delay } = run.job.options;
  if (javascript_delay === undefined) return settleAgain(loading);
  return async () => {
    await pause(javascript_delay, run.signal);
    run.log.setStageReason(`javascript_delay (${javascript_delay} ms) was over`);
  };
}

/** Waits until a page that a step has changed has settled again. */
export function settleAgain(loading: Loading): StepWork | undefined {
  const { window, run } = loading;
  if (!needsSettling(loading)) return undefined;
  return async () => {
    const { stillChanges, followsScrolling } = await new PageSettler(window, run).settle();
    loading.stillChanges = stillChanges;
    if (followsScrolling) loading.followsScrolling = true;
  };
}

/** Returns whether the page runs scripts and the caller has not chosen another way to wait. */
function needsSettling({ source, run }: Pick<Loading, 'source' | 'run'>): boolean {
  const { disable_javascript, javascript_delay, wait_until } = run.job.options;
  const isRequested = javascript_delay === undefined && wait_until === 'settled' && run.settleLimitMs > 0;
  return source.scripts && !disable_javascript && isRequested;
}

const pollIntervalMs = 50;

/**
 * Waits until an element that matches `wait_for_element` is in the page or in one of its frames.
 * @throws Failure elementNotFound after two thirds of the job timeout; valueNotAllowed for an invalid selector
 */
export function awaitElement(loading: Loading): StepWork | undefined {
  const { wait_for_element } = loading.run.job.options;
  return wait_for_element === undefined ? undefined : () => waitForElement(loading, wait_for_element);
}

async function waitForElement(loading: Loading, selectors: string): Promise<void> {
  const { run } = loading;
  const timeoutMs = maxWaitMs({ jobTimeoutMs: run.jobTimeoutMs });
  const began = performance.now();
  let retries = 0;
  for (; !(await isPresent(loading, selectors)); retries += 1) {
    if (performance.now() - began >= timeoutMs) throw notFound(selectors, timeoutMs);
    await pause(pollIntervalMs, run.signal);
  }
  const element = `'${shortened(selectors)}'`;
  const elapsedMs = Math.round(performance.now() - began);
  // The page may change further after the element has appeared.
  if (retries > 0) await settleAgain(loading)?.();
  run.log.setStageReason(
    retries === 0 ? `${element} was present` : `${element} appeared after ${elapsedMs} ms`,
  );
}

async function isPresent({ window }: Loading, selectors: string): Promise<boolean> {
  const found = await callInPage(window.contents, matches, selectors);
  if (found === 'invalid') throw invalidSelectors('wait_for_element', selectors);
  const code = `document.querySelector(${JSON.stringify(selectors)}) !== null`;
  return found || (await runInFrames(window.contents.mainFrame, code)).includes(true);
}

function matches(selectors: string): boolean | 'invalid' {
  try {
    return document.querySelector(selectors) !== null;
  } catch {
    return 'invalid';
  }
}

function notFound(selectors: string, timeoutMs: number): Failure {
  return new Failure(
    'elementNotFound',
    `No element matched wait_for_element '${shortened(selectors)}' within ${timeoutMs / 1000} s.`,
  );
}
