/**
 * Scrolls a page from top to bottom, so that its scroll listeners run, and back without losing the content that they revealed. Part
 * of the page script `settling`.
 */
import type { PageClock } from './clock.ts';

export interface ScrolledPage {
  /** Whether the end was reached within the budget. */
  readonly isComplete: boolean;
  /** Scrolls back. `play` advances page time, so that the page's listeners run. */
  readonly back: (play: () => Promise<unknown>) => Promise<void>;
}

/**
 * The upper part of the viewport, as a share of its height. After scrolling back, elements in this part have the state that the
 * page gives them at the top, and elements further down keep the revealed state.
 */
const topShare = 0.5;
/** The distance of each scroll step, as a share of the viewport's height. */
const stepShare = 0.8;

/**
 * Scrolls to the element that is last in the page before scrolling, or until the budget of real time, in milliseconds, is used up.
 */
export async function scrollThrough(
  clock: PageClock,
  budget: number,
  play: () => Promise<unknown>,
): Promise<ScrolledPage> {
  const startPosition = { left: window.scrollX, top: window.scrollY };
  const deadline = clock.realNow() + budget;
  const last = lastElement();
  const down = new ChangeRecord();
  let top = 0;
  while (top + window.innerHeight < bottomOf(last) && clock.realNow() < deadline) {
    top += window.innerHeight * stepShare;
    window.scrollTo({ left: 0, top, behavior: 'instant' });
    await clock.realFrame();
    await play();
  }
  down.end();
  return {
    isComplete: top + window.innerHeight >= bottomOf(last),
    async back(playBack) {
      await scrollBack(clock, startPosition, playBack);
      hideRevealedOverlays(down);
    },
  };
}

/** Records the attributes of elements that hide them before scripts changed them, and the elements that scripts added. */
export class ChangeRecord {
  readonly before = new Map<Element, Map<string, string | null>>();
  readonly added = new Set<Element>();
  readonly #observer = new MutationObserver((records) => {
    this.#addRecords(records);
  });

  constructor() {
    this.#observer.observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: ['class', 'style', 'hidden', 'open'],
      attributeOldValue: true,
    });
  }

  end(): void {
    this.#addRecords(this.#observer.takeRecords());
    this.#observer.disconnect();
  }

  #addRecords(records: readonly MutationRecord[]): void {
    for (const { target, attributeName, oldValue, addedNodes } of records) {
      for (const node of addedNodes) if (node instanceof Element) this.added.add(node);
      if (!(target instanceof Element) || attributeName === null) continue;
      const values = this.before.get(target) ?? new Map<string, string | null>();
      if (!values.has(attributeName)) values.set(attributeName, oldValue);
      this.before.set(target, values);
    }
  }
}

/** Returns the last element that has a box. Content that is added below it later, such as more list items, is not scrolled to. */
function lastElement(): Element {
  let last: Element = document.body;
  while (last.lastElementChild !== null) last = last.lastElementChild;
  // Elements without a box, such as scripts, do not mark the end.
  while (last !== document.body && last.getClientRects().length === 0)
    last = last.previousElementSibling ?? last.parentElement ?? document.body;
  return last;
}

function bottomOf(element: Element): number {
  const bottom = element.getBoundingClientRect().bottom + window.scrollY;
  const whole = document.scrollingElement?.scrollHeight ?? 0;
  // A fixed or empty last element does not mark the end of the document.
  return element === document.body || bottom < whole / 2 ? whole : Math.min(bottom, whole);
}

/**
 * Scrolls back to the start. Scroll listeners may then hide elements below the viewport again, so the attributes of these elements
 * are restored.
 */
async function scrollBack(
  clock: PageClock,
  startPosition: ScrollToOptions,
  play: () => Promise<unknown>,
): Promise<void> {
  const record = new ChangeRecord();
  window.scrollTo({ ...startPosition, behavior: 'instant' });
  await clock.realFrame();
  await play();
  await clock.realFrame();
  record.end();
  record.before.forEach((values, element) => {
    if (isInUpperViewport(element)) return;
    values.forEach((value, name) => {
      // Elements that move with the scroll position are already in the correct position.
      if (name === 'style' && isMotion(value, element.getAttribute('style'))) return;
      setAttribute(element, name, value);
    });
  });
}

/** Properties that scripts use to move elements during scrolling (parallax). */
const motionProperties =
  /^(transform|translate|rotate|scale|top|bottom|left|right|inset.*|margin.*|background-position.*|will-change|transition.*)$/;

/** Returns whether two values of a `style` attribute differ only in the position of the element. */
function isMotion(left: string | null, right: string | null): boolean {
  const [before, after] = [left, right].map((text) => {
    const { style } = document.createElement('i');
    style.cssText = text ?? '';
    return style;
  });
  if (before === undefined || after === undefined) return false;
  return [...new Set([...before, ...after])].every(
    (name) => motionProperties.test(name) || before.getPropertyValue(name) === after.getPropertyValue(name),
  );
}

/**
 * Hides fixed elements that scrolling or observers have revealed over the page, such as a newsletter form. A reader at the top of the
 * page would not see them.
 */
export function hideRevealedOverlays({ before, added }: ChangeRecord): void {
  before.forEach((values, element) => {
    if (element.isConnected && isFixedAndShown(element)) restoreIfHidden(element, values);
  });
  for (const element of added)
    if (element instanceof HTMLElement && element.isConnected && isFixedAndShown(element))
      element.style.setProperty('display', 'none', 'important');
}

/** Restores the earlier attributes of an element if they hide it; otherwise keeps the current ones. */
function restoreIfHidden(element: Element, values: ReadonlyMap<string, string | null>): void {
  const current = [...values.keys()].map((name) => [name, element.getAttribute(name)] as const);
  values.forEach((value, name) => {
    setAttribute(element, name, value);
  });
  // A transition would start from the current state.
  if (element instanceof HTMLElement) element.style.setProperty('transition', 'none', 'important');
  const wasShown = isFixedAndShown(element);
  if (!wasShown) return;
  for (const [name, value] of current) setAttribute(element, name, value);
}

function isFixedAndShown(element: Element): boolean {
  const { position, visibility, opacity } = getComputedStyle(element);
  if (position !== 'fixed' || visibility !== 'visible' || Number(opacity) === 0) return false;
  return [...element.getClientRects()].some(
    ({ width, height, top, bottom, left, right }) =>
      width > 0 &&
      height > 0 &&
      bottom > 0 &&
      right > 0 &&
      top < window.innerHeight &&
      left < window.innerWidth,
  );
}

function setAttribute(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/**
 * Returns whether the element begins in or above the upper part of the viewport, or is fixed or sticky, as headers are. The lower
 * part does not count, because pages often reveal an element only when it is well above the lower edge of the viewport.
 */
function isInUpperViewport(element: Element): boolean {
  // A hidden element has no position, so that of its nearest ancestor with a box is used.
  let visibleAncestor = element;
  while (visibleAncestor.getClientRects().length === 0 && visibleAncestor.parentElement !== null)
    visibleAncestor = visibleAncestor.parentElement;
  if (visibleAncestor.getBoundingClientRect().top < window.innerHeight * topShare) return true;
  for (let ancestor: Element | null = element; ancestor !== null; ancestor = ancestor.parentElement)
    if (/^(fixed|sticky)$/.test(getComputedStyle(ancestor).position)) return true;
  return false;
}
