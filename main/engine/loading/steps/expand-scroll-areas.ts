/** `expand_scroll_areas`: expands scrolling areas to the size of their content, so that the output shows all of it. */
import { pause } from '../../../async/signals.ts';
import { callInPage, callPageScript, pageScriptCall, runInPage } from '../../devtools/evaluate.ts';
import type { Loading, StepWork } from '../loading.ts';
import { loadTimeoutLeft } from '../load-timeout.ts';
import type { ExpandLimits, ExpandRound } from '../../page-scripts/scrolling/expand.ts';
import { drawVirtualLists } from './draw-virtual-lists.ts';
import type { IncompleteList } from '../../page-scripts/scrolling/virtual-lists.ts';
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
  let expansion = await expandUntilStable(loading, deadline);
  if (expansion.areas === 0 && expansion.tooLarge.length === 0) return;
  const lists = loading.source.scripts ? await drawVirtualLists(loading, deadline) : undefined;
  if (lists !== undefined) expansion = await expandUntilStable(loading, deadline);
  await noteMissingContent(loading, expansion, lists);
  // Images that were outside the viewport start to load only now.
  await loadFontsAndImages(loading);
  await settleAgain(loading)?.();
  run.log.setStageReason(`${expansion.areas} areas were expanded in ${expansion.rounds} rounds`);
}

interface Expansion extends ExpandRound {
  readonly rounds: number;
  /** Whether the areas still changed in the last round. */
  readonly isUnfinished: boolean;
}

async function expandUntilStable(loading: Loading, deadline: number): Promise<Expansion> {
  const { window, run } = loading;
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
  return { ...round, rounds, isUnfinished: round.areas > 0 && quietRounds < roundsNeeded };
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
  { tooLarge, isUnfinished }: Expansion,
  lists: readonly IncompleteList[] = [],
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
  for (const { element, drawn, total } of lists.slice(0, maxNotes))
    run.log.note(
      `${element} has drawn ${drawn} of the ${total} px of its content while it was scrolled, so about ${percent(total - drawn, total)} % of its content is missing. Configure it to draw all of its content.`,
      { code, options },
    );
  const undrawn = await callPageScript(window.contents, 'expand.undrawnContent', maxNotes);
  for (const { element, rows, empty, height } of undrawn)
    run.log.note(
      rows === undefined
        ? `${element} has room for all of its content but leaves the last ${empty} of ${height} px empty, so about ${percent(empty, height)} % of its content is missing. Configure it to draw all of its content.`
        : `${element} has ${rows.all} rows and draws ${rows.drawn} of them, although it has room for all; ${percent(rows.all - rows.drawn, rows.all)} % are missing. Configure the grid to draw all rows: domLayout 'print' in AG Grid, renderVertical 'basic' in Tabulator.`,
      { code, options },
    );
}

function percent(part: number, whole: number): number {
  return Math.round((100 * part) / Math.max(whole, 1));
}
