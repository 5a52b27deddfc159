/**
 * Loads a Source into a window and returns a Page. Runs a list of named steps in one loop, which stops when the signal aborts and
 * writes the name and duration of each step to the debug log. A step that the job does not need returns no work and is not logged.
 */
import { Failure } from '../../failure/failure.ts';
import type { Source } from '../../input/source.ts';
import { layoutFor } from '../../job/layout.ts';
import { waitForLoad } from './wait-for-load.ts';
import { unlessAborted } from '../../async/signals.ts';
import { noteDialogs } from '../diagnostics/page-diagnostics.ts';
import type { WindowRun } from '../window-run.ts';
import { notePendingWork } from './load-timeout.ts';
import type { Loading, StepWork } from './loading.ts';
import type { Page } from '../page.ts';
import {
  assumeEncoding,
  navigate,
  replacePreload,
  failOnAnyError,
  failOnMainError,
} from './steps/navigate.ts';
import { awaitElement, settle } from './steps/settle.ts';
import { convertElement, readArticle } from './steps/choose-content.ts';
import { emulate, setCookies } from './steps/emulate.ts';
import { expandScrollAreas } from './steps/expand-scroll-areas.ts';
import { fitLayout, followPageRules } from './steps/fit-layout.ts';
import {
  injectStyles,
  renderSkippedContent,
  revealScrolled,
  showAlternativeTexts,
  runOnLoadJavascript,
  runCustomJavascript,
} from './steps/inject.ts';
import { placeFixedElements } from './steps/fixed-elements.ts';
import { loadFontsAndImages } from './steps/load-fonts-and-images.ts';
import { PageSettler } from './page-settler.ts';
import { writeInlineDocument } from './steps/write.ts';
import type { EngineWindow } from '../window/engine-window.ts';

type LoadingStep = readonly [name: string, begin: (loading: Loading) => StepWork | undefined];

/** Returns a step that is skipped for inline documents (inline-document.ts). */
function unlessInline(step: (loading: Loading) => Promise<void>): LoadingStep[1] {
  return (loading) => (loading.inlineState === undefined ? () => step(loading) : undefined);
}

/** Returns a step that runs for every page. */
function always(step: (loading: Loading) => Promise<void>): LoadingStep[1] {
  return (loading) => () => step(loading);
}

const loadSteps: readonly LoadingStep[] = [
  ['set up the window', always(emulate)],
  ['set the cookies', setCookies],
  ['assume default_encoding', assumeEncoding],
  ['write the document', writeInlineDocument],
  ['load the page', unlessInline(navigate)],
];

/** The steps that make a loaded page ready. They run again if the page navigates on its own (by a Refresh header or a script). */
const readySteps: readonly LoadingStep[] = [
  ['check the status of the page', failOnMainError],
  ['clean up after disable_javascript', replacePreload],
  ['inject styles', unlessInline(injectStyles)],
  ['run on_load_javascript', runOnLoadJavascript],
  [
    'load fonts and images',
    (loading) => (loading.inlineState === 'complete' ? undefined : () => loadFontsAndImages(loading)),
  ],
  ['wait until the page has settled', settle],
  ['wait for wait_for_element', awaitElement],
  ['cut to the element to convert', convertElement],
  ['read the article', readArticle],
  ['run custom_javascript', runCustomJavascript],
  ['show alternative texts', showAlternativeTexts],
  ['reveal what scrolling shows', revealScrolled],
  ['render skipped content', renderSkippedContent],
  ['place the fixed elements', placeFixedElements],
  ['expand the scroll areas', expandScrollAreas],
  ['read the page rules', followPageRules],
  ['fit the layout', fitLayout],
  ['check what has arrived', failOnAnyError],
];

const maxNavigations = 20;

/** The abort reason of a step when the page navigates on its own; all ready steps then start again on the new page. */
class NavigatedAway extends Error {}

/**
 * Loads the source and returns the page when it is ready to be printed or captured.
 * @throws Failure; RendererLost; the signal's reason
 */
export async function loadPage(window: EngineWindow, source: Source, run: WindowRun): Promise<Page> {
  const layout = layoutFor(run.job.options, run.job.givenOptions);
  const layoutWidth = layout.width === 'balanced' ? layout.minWidth : layout.width;
  const loading: Loading = { window, source, run, layout, layoutWidth, scriptsRun: new Set() };
  await runSteps(loadSteps, loading);
  for (let navigations = 0; navigations < maxNavigations; navigations += 1) {
    if (await makeReady(loading)) {
      await unlessAborted(run.signal, notePendingWork(loading));
      await unlessAborted(run.signal, noteDialogs(loading));
      window.isNavigationBlocked = true;
      if (loading.stillChanges === true) await unlessAborted(run.signal, new PageSettler(window, run).stop());
      const { contentBox, ownPaper } = loading;
      return {
        window,
        source,
        layoutWidth: loading.layoutWidth,
        ...(ownPaper !== undefined && { ownPaper }),
        ...(contentBox !== undefined && { contentBox }),
      };
    }
    run.log.note('The page navigated to another address on its own; loading continued there.', {
      code: 'page-moved',
    });
  }
  throw new Failure(
    'pageNotLoaded',
    `The page navigated to another address on its own more than ${maxNavigations} times.`,
  );
}

/** Runs the ready steps. Returns whether the page is ready; false if it navigated meanwhile. */
async function makeReady(loading: Loading): Promise<boolean> {
  const { contents } = loading.window;
  const navigated = new AbortController();
  const onCommit = () => {
    navigated.abort(new NavigatedAway());
  };
  contents.on('did-navigate', onCommit);
  const signal = AbortSignal.any([loading.run.signal, navigated.signal]);
  const attempt = { ...loading, run: { ...loading.run, signal } };
  try {
    await runSteps(readySteps, attempt);
    loading.layoutWidth = attempt.layoutWidth;
    loading.ownPaper = attempt.ownPaper;
    if (attempt.contentBox !== undefined) loading.contentBox = attempt.contentBox;
    if (attempt.stillChanges !== undefined) loading.stillChanges = attempt.stillChanges;
    if (!contents.isLoadingMainFrame()) return true;
    // A navigation is under way. If it commits, this attempt is aborted; a download or an empty response does not commit.
    await runSteps([['follow the page', always((current) => waitForLoad(current, true))]], attempt);
    return true;
  } catch (problem) {
    if (!(problem instanceof NavigatedAway)) throw problem;
    if (contents.isLoadingMainFrame())
      await runSteps([['load the page', always((current) => waitForLoad(current, true))]], loading);
    return false;
  } finally {
    contents.off('did-navigate', onCommit);
  }
}

async function runSteps(steps: readonly LoadingStep[], loading: Loading): Promise<void> {
  const { log, signal } = loading.run;
  for (const [name, begin] of steps) {
    const work = begin(loading);
    if (work !== undefined) await log.timeStage(name, () => unlessAborted(signal, work()));
  }
}
