/**
 * A Source and a window become a Page: a list of named steps, run by one loop that checks the signal, times each step
 * and writes it to the debug log. A step is a file of its name, gives no work if it was not asked for, and knows no
 * other step.
 */
import { Failure } from '../failure/failure.ts';
import type { Source } from '../input/source.ts';
import { layoutFor } from '../job/layout.ts';
import { arrival } from './arrival.ts';
import { unlessAborted } from '../signals.ts';
import type { WindowRun } from './engine.ts';
import { noteWhatIsLate } from './late.ts';
import type { Loading, Work } from './loading.ts';
import type { Page } from './page.ts';
import { assumeEncoding } from './steps/assume-encoding.ts';
import { awaitElement } from './steps/await-element.ts';
import { convertElement } from './steps/convert-element.ts';
import { emulate } from './steps/emulate.ts';
import { failOnAnyError, failOnMainError } from './steps/fail-on-error.ts';
import { fitLayout } from './steps/fit-layout.ts';
import { fallQuiet } from './steps/fall-quiet.ts';
import { inject } from './steps/inject.ts';
import { navigate } from './steps/navigate.ts';
import { readArticle } from './steps/read-article.ts';
import { runOnLoad, runScript } from './steps/run-script.ts';
import { setCookies } from './steps/set-cookies.ts';
import { settle } from './steps/settle.ts';
import { showAlternativeTexts } from './steps/show-alternative-texts.ts';
import { standInForPreload } from './steps/stand-in-for-preload.ts';
import { write } from './steps/write.ts';
import type { EngineWindow } from './window.ts';

type Step = readonly [name: string, begin: (loading: Loading) => Work | undefined];

/** A step that only pages need which a window goes to. */
function unwritten(step: (loading: Loading) => Promise<void>): Step[1] {
  return (loading) => (loading.written === undefined ? () => step(loading) : undefined);
}

/** A step that every page needs. */
function always(step: (loading: Loading) => Promise<void>): Step[1] {
  return (loading) => () => step(loading);
}

const arrive: readonly Step[] = [
  ['set up the window', always(emulate)],
  ['set the cookies', setCookies],
  ['assume default_encoding', assumeEncoding],
  ['write the document', write],
  ['load the page', unwritten(navigate)],
];

/** Done again when a page goes elsewhere by itself (a refresh, a script). */
const getReady: readonly Step[] = [
  ['check the status of the page', failOnMainError],
  ['clean up after disable_javascript', standInForPreload],
  ['inject styles', unwritten(inject)],
  ['run on_load_javascript', runOnLoad],
  ['load fonts and images', (loading) => (loading.written === 'whole' ? undefined : () => settle(loading))],
  ['wait for the page to fall quiet', fallQuiet],
  ['wait for wait_for_element', awaitElement],
  ['cut to the element to convert', convertElement],
  ['read the article', readArticle],
  ['run custom_javascript', runScript],
  ['show alternative texts', showAlternativeTexts],
  ['fit the layout', fitLayout],
  ['check what has arrived', failOnAnyError],
];

const mostDepartures = 20;

/** Why a stage of loading was aborted: the page went to another address, and everything begins anew there. */
class NavigatedAway extends Error {}

/** @throws Failure for what keeps a page from being loaded; the signal's reason. */
export async function loadPage(window: EngineWindow, source: Source, run: WindowRun): Promise<Page> {
  const layout = layoutFor(run.job.options, run.job.given);
  const layoutWidth = layout.width === 'balanced' ? layout.narrowest : layout.width;
  const loading: Loading = { window, source, run, layout, layoutWidth, done: new Set() };
  await perform(arrive, loading);
  for (let departures = 0; departures < mostDepartures; departures += 1) {
    if (await staysReady(loading)) {
      await unlessAborted(run.signal, noteWhatIsLate(loading));
      window.frozen = true;
      const { content } = loading;
      return { window, source, layoutWidth: loading.layoutWidth, ...(content !== undefined && { content }) };
    }
    run.log.note('The page went to another address by itself, and was waited for anew there.', {
      code: 'page-moved',
    });
  }
  throw new Failure('pageNotLoaded', 'The page keeps going to another address by itself.');
}

/** Makes the page ready; false when it has gone elsewhere meanwhile, and what is there now is not ready. */
async function staysReady(loading: Loading): Promise<boolean> {
  const { contents } = loading.window;
  const departed = new AbortController();
  const onCommit = () => {
    departed.abort(new NavigatedAway());
  };
  contents.on('did-navigate', onCommit);
  const signal = AbortSignal.any([loading.run.signal, departed.signal]);
  const here = { ...loading, run: { ...loading.run, signal } };
  try {
    await perform(getReady, here);
    loading.layoutWidth = here.layoutWidth;
    if (here.content !== undefined) loading.content = here.content;
    if (!contents.isLoadingMainFrame()) return true;
    // On its way: a page that arrives aborts, a download or an empty answer does not.
    await perform([['follow the page', always((going) => arrival(going, true))]], here);
    return true;
  } catch (problem) {
    if (!(problem instanceof NavigatedAway)) throw problem;
    if (contents.isLoadingMainFrame())
      await perform([['load the page', always((there) => arrival(there, true))]], loading);
    return false;
  } finally {
    contents.off('did-navigate', onCommit);
  }
}

async function perform(steps: readonly Step[], loading: Loading): Promise<void> {
  const { log, signal } = loading.run;
  for (const [name, begin] of steps) {
    const work = begin(loading);
    if (work !== undefined) await log.time(name, () => unlessAborted(signal, work()));
  }
}
