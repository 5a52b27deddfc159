/** Which elements stick out of the layout at its right, the outermost ones. Part of the program `look`. */
import type { BreaksEvent } from '../../log/events.ts';
import { elementPath } from './element-path.ts';

type Overflow = BreaksEvent['detail']['overflows'][number];

/** Edges lie at fractions of pixels. */
const rounding = 1;
const most = 50;

/** Empty where all of the page fits, which is told without looking at its elements. */
export function overflows(mostElements: number): Overflow[] {
  const width = window.innerWidth;
  if ((document.scrollingElement?.scrollWidth ?? 0) <= width + rounding) return [];
  const found: Overflow[] = [];
  const culprits = new Set<Element>();
  const elements = [...document.querySelectorAll('body, body *')].slice(0, mostElements);
  for (const element of elements) {
    if (found.length === most) break;
    const parent = element.parentElement;
    if (parent !== null && culprits.has(parent)) {
      // Of what sticks out all that is inside is the same finding.
      culprits.add(element);
      continue;
    }
    const by = rightEdge(element) + window.scrollX - width;
    if (by <= rounding || isCut(element)) continue;
    culprits.add(element);
    found.push({ element: elementPath(element), by: Math.round(by * 10) / 10 });
  }
  return found;
}

/** Of the element, or of text of its own. */
function rightEdge(element: Element): number {
  const box = element.getBoundingClientRect();
  const texts = [...element.childNodes].filter(
    (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ''),
  );
  return Math.max(box.width * box.height > 0 ? box.right : 0, ...texts.map(rightOfText));
}

function rightOfText(node: Node): number {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect().right;
}

/** Inside of something that shows no more than fits, which is no overflow of the page. */
function isCut(element: Element): boolean {
  for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
    if (getComputedStyle(at).overflowX !== 'visible') return true;
  }
  return false;
}
