/**
 * A Source and a window become a Page: a list of named steps, run by one loop that checks the signal, times each step
 * and writes it to the debug log. A step is a file of its name, returns at once if it was not asked for, and knows no
 * other step.
 */
import { Failure } from '../failure/failure.ts';
import type { Source } from '../input/source.ts';
import { layoutFor } from '../job/layout.ts';
import { arrival } from './arrival.ts';
import type { WindowRun } from './engine.ts';
import { NavigatedAway } from './in-page.ts';
import type { Loading } from './loading.ts';
import type { Page } from './page.ts';
import { awaitElement } from './steps/await-element.ts';
import { emulate } from './steps/emulate.ts';
import { fitWidth } from './steps/fit-width.ts';
import { fallQuiet } from './steps/fall-quiet.ts';
import { inject } from './steps/inject.ts';
import { navigate } from './steps/navigate.ts';
import { runScript } from './steps/run-script.ts';
import { settle } from './steps/settle.ts';
import type { EngineWindow } from './window.ts';

type Step = readonly [name: string, work: (loading: Loading) => Promise<void>];

const arrive: readonly Step[] = [
  ['set up the window', emulate],
  ['load the page', navigate],
];

const follow: readonly Step[] = [['load the page', arrival]];

/** Done again when a page goes elsewhere by itself (a refresh, a script). */
const getReady: readonly Step[] = [
  ['inject styles', inject],
  ['load fonts and images', settle],
  ['wait for the page to fall quiet', fallQuiet],
  ['wait for wait_for_element', awaitElement],
  ['run custom_javascript', runScript],
  ['fit the width', fitWidth],
];

const mostDepartures = 20;

/** @throws Failure for what keeps a page from being loaded; the signal's reason. */
export async function loadPage(window: EngineWindow, source: Source, run: WindowRun): Promise<Page> {
  const layout = layoutFor(run.job.options, run.job.given);
  const layoutWidth = layout.width === 'balanced' ? layout.narrowest : layout.width;
  const loading: Loading = { window, source, run, layout, layoutWidth };
  await perform(arrive, loading);
  await settleDown(loading);
  return { window, layoutWidth: loading.layoutWidth };
}

async function settleDown(loading: Loading): Promise<void> {
  for (let departures = 0; departures < mostDepartures; departures += 1) {
    try {
      await perform(getReady, loading);
      return;
    } catch (problem) {
      if (!(problem instanceof NavigatedAway)) throw problem;
      loading.run.log.note('The page went to another address by itself.');
      await perform(follow, loading);
    }
  }
  throw new Failure('pageNotLoaded', 'The page keeps going to another address by itself.');
}

async function perform(steps: readonly Step[], loading: Loading): Promise<void> {
  const { log, signal } = loading.run;
  for (const [name, work] of steps) {
    signal.throwIfAborted();
    await log.time(name, () => work(loading));
  }
}
