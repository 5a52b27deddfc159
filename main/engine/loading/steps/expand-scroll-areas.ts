/** `expand_scroll_areas`: expands scrolling areas to the size of their content, so that the output shows all of it. */
import { pause } from '../../../async/signals.ts';
import { callInPage, callPageScript, pageScriptCall, runInPage } from '../../devtools/evaluate.ts';
import type { Loading, StepWork } from '../loading.ts';
import { loadTimeoutLeft } from '../load-timeout.ts';
import type { ExpandLimits, ExpandRound } from '../../page-scripts/scrolling/expand.ts';
import { loadFontsAndImages } from './load-fonts-and-images.ts';
import { settleAgain } from './settle.ts';

/** `maxSide`, in CSS pixels, is about 200 pages: enough for a grid of 10,000 rows, but an endless list is cut there. */
const limits: ExpandLimits = { maxElements: 100_000, maxSide: 400_000 };
const maxRounds = 60;
/** Expansion ends after this many consecutive rounds without a change: grids redraw some time after a resize. */
const requiredQuietRounds = 4;
const roundMs = 40;
const framesTimeoutMs = 1000;
/** Time limit for all rounds together, unless max_loading_time or a quarter of the job timeout leaves less. */
const maxExpandMs = 10_000;
const maxNotes = 20;

export function expandScrollAreas(loading: Loading): StepWork | undefined {
  return loading.run.job.options.expand_scroll_areas ? () => expandAll(loading) : undefined;
}

async function expandAll(loading: Loading): Promise<void> {
  const { window, run } = loading;
  const deadline =
    performance.now() +
    Math.min(maxExpandMs, loadTimeoutLeft(run, window.context.requests.elapsedMs(), 1 / 4));
  const expand = await pageScriptCall('expand.expandRound', limits);
  let round = await runInPage<ExpandRound>(window.contents, expand);
  let quietRounds = 0;
  let rounds = 1;
  // A page without scripts changes only because of the expansion, so one round without a change is enough.
  const roundsNeeded = loading.source.scripts ? requiredQuietRounds : 1;
  while (
    round.areas > 0 &&
    quietRounds < roundsNeeded &&
    rounds < maxRounds &&
    performance.now() < deadline
  ) {
    if (loading.source.scripts) {
      await waitForFrames(loading);
      await (settleAgain(loading)?.() ?? pause(roundMs, run.signal));
    }
    const next = await runInPage<ExpandRound>(window.contents, expand);
    quietRounds = next.state === round.state ? quietRounds + 1 : 0;
    round = next;
    rounds += 1;
  }
  if (round.areas === 0 && round.tooLarge.length === 0) return;
  await noteMissingContent(loading, round, quietRounds < roundsNeeded);
  // Images that were outside the viewport start to load only now.
  await loadFontsAndImages(loading);
  await settleAgain(loading)?.();
  run.log.setStageReason(`${round.areas} areas were expanded in ${rounds} rounds`);
}

/** Waits for two animation frames, after which resize observers have run. The timeout is for windows that draw no frames. */
async function waitForFrames({ window, run }: Loading): Promise<void> {
  await Promise.race([callInPage(window.contents, twoFrames), pause(framesTimeoutMs, run.signal)]);
}

function twoFrames(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        resolve();
      });
    });
  });
}

async function noteMissingContent(
  { window, run }: Loading,
  { tooLarge }: ExpandRound,
  isUnfinished: boolean,
): Promise<void> {
  const code = 'content-hidden';
  const options = ['custom_javascript'];
  for (const element of tooLarge.slice(0, maxNotes))
    run.log.note(
      `${element} was not expanded: its content is longer than ${limits.maxSide} px. Make the page show less of it.`,
      { code, options },
    );
  if (isUnfinished)
    run.log.note(
      'The scrolling areas of the page were still growing when the time limit for expanding them was reached. Some of their content may be missing.',
      { code, options },
    );
  const undrawn = await callPageScript(window.contents, 'expand.undrawnContent', maxNotes);
  for (const { element, rows, empty } of undrawn)
    run.log.note(
      rows === undefined
        ? `${element} has room for all of its content but leaves the last ${empty} px empty. Configure it to draw all of its content.`
        : `${element} has ${rows.all} rows and draws ${rows.drawn} of them, although it has room for all. Configure the grid to draw all rows: domLayout 'print' in AG Grid, renderVertical 'basic' in Tabulator.`,
      { code, options },
    );
}
