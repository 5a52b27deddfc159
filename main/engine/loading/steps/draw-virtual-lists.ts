/** Makes the output show all rows of virtual lists. Part of `expand_scroll_areas`. */
import { callPageScript } from '../../devtools/evaluate.ts';
import type { IncompleteList, ListStep } from '../../page-scripts/scrolling/virtual-lists.ts';
import type { Loading } from '../loading.ts';
import { settleAgain } from './settle.ts';

/**
 * Scrolls each virtual list of the page and replaces its rows by all that it has drawn. Returns the lists with missing rows; undefined
 * if the page has no virtual list.
 */
export async function drawVirtualLists(
  loading: Loading,
  deadline: number,
): Promise<IncompleteList[] | undefined> {
  const { contents } = loading.window;
  let incomplete: IncompleteList[] | undefined;
  while (performance.now() < deadline && (await callPageScript(contents, 'virtual-lists.openNext'))) {
    let first = await scrolled(loading, 0);
    const isTall = isDrawn(first);
    if (!isTall) {
      await callPageScript(contents, 'virtual-lists.useOwnHeight');
      first = await scrolled(loading, 0);
    }
    if (await hasRows(loading, first)) {
      incomplete ??= [];
      const isComplete = await collectAll(loading, deadline);
      if (isTall && !isComplete) {
        await callPageScript(contents, 'virtual-lists.useOwnHeight');
        await collectAll(loading, deadline);
      }
    }
    const list = await callPageScript(contents, 'virtual-lists.closeList');
    if (list) incomplete?.push(list);
  }
  return incomplete;
}

/** Returns whether the page draws other rows when the area is scrolled. */
async function hasRows(loading: Loading, { total }: ListStep): Promise<boolean> {
  const { contents } = loading.window;
  for (const top of [total, 0]) {
    await callPageScript(contents, 'virtual-lists.scrollList', top);
    await settleAgain(loading)?.();
  }
  return await callPageScript(contents, 'virtual-lists.findRows');
}

/** Collects the rows from the first to the last. Returns whether the list has drawn its end. */
async function collectAll(loading: Loading, deadline: number): Promise<boolean> {
  let step = await scrolled(loading, 0);
  while (await callPageScript(loading.window.contents, 'virtual-lists.collectRows')) {
    const { top, height, total, drawn } = step;
    if (top + height >= total - 1) return isDrawn(step);
    if (performance.now() > deadline) return false;
    const seen = drawn > top + minStepPixels ? Math.min(drawn, top + height) : top + height;
    step = await scrolled(loading, Math.max(seen - overlapPixels, top + minStepPixels));
  }
  return false;
}

const minStepPixels = 40;
/** A row at the end of the visible part may be incomplete. */
const overlapPixels = 30;
/** Space at the end of the visible part that may be empty when the list has drawn its rows. */
const undrawnTolerance = 0.1;

/** Scrolls, and waits until the list has drawn the visible part or the page has settled. */
async function scrolled(loading: Loading, top: number): Promise<ListStep> {
  const { contents } = loading.window;
  const step = await callPageScript(contents, 'virtual-lists.scrollList', top);
  if (isDrawn(step)) return step;
  await settleAgain(loading)?.();
  return await callPageScript(contents, 'virtual-lists.listState');
}

function isDrawn({ top, height, total, drawn }: ListStep): boolean {
  return drawn >= Math.min(top + height, total) - undrawnTolerance * height;
}
