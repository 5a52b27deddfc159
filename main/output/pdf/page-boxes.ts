/** Finds out which box each printed page has, by the position and the width of the page (decision 70). */
import { yieldingToEventLoop } from '../../async/yielding.ts';
import type { Page } from '../../engine/page.ts';
import {
  pagePositions,
  printedWidthStep,
  type PageRuleBox,
  type PagePosition,
} from '../../job/page-rule-paper.ts';
import type { Inches } from '../../fields/kinds.ts';
import type { Inspection } from '../pdf-reader/inspect-pdf.ts';
import type { PrintPlan } from './print-plan.ts';

/** Returns the box of each page; undefined for a page without one. Returns undefined if no page was printed with its own box. */
export async function boxesOfPages(
  { ownPaper }: Pick<Page, 'ownPaper'>,
  { settings }: PrintPlan,
  { pages, paperOf }: Pick<Inspection, 'pages' | 'paperOf'>,
): Promise<readonly (PageRuleBox | undefined)[] | undefined> {
  if (ownPaper?.boxes === undefined || settings.pageRulesOverride !== true) return undefined;
  const { boxes, isFirstPageLeft } = ownPaper;
  const boxesAt = new Map(
    pagePositions.map((position) => [position, boxes.filter((box) => box.position === position)]),
  );
  const positionOf = (index: number): PagePosition => {
    if (index === 0) return ':first';
    return (index % 2 === 0) === isFirstPageLeft ? ':left' : ':right';
  };
  const found: (PageRuleBox | undefined)[] = [];
  for await (const index of yieldingToEventLoop(Array.from({ length: pages }).keys()))
    found.push(boxOfWidth(boxesAt.get(positionOf(index)) ?? [], paperOf(index).width));
  return found;
}

function boxOfWidth(boxes: readonly PageRuleBox[], width: Inches): PageRuleBox | undefined {
  return boxes.find(({ printedWidth }) => Math.abs(printedWidth - width) < printedWidthStep / 2);
}
