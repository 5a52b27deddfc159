/** Shows content that scroll-driven animations reveal (CSS Scroll-driven Animations 1). Runs inside pages. */
import { elementsOf } from './page-elements.ts';

/** An animation that no longer follows scrolling. */
interface HeldAnimation {
  readonly animation: Animation;
  readonly target: Element;
  readonly pseudoElement: string | null;
  /** Position on the timeline at which the animation starts, in percent. */
  readonly start: number;
}

/**
 * Positions on the timeline of an element in percent, best first: in the middle of the window, just scrolled out of it, and not yet
 * scrolled into it.
 */
const positions = [50, 100, 0] as const;

/** The longest wait in milliseconds for animations to start: Chromium computes their positions in a browser frame. */
const startTimeoutMs = 1000;

/** In a page with more elements, the shadow trees of the others are not searched. */
const maxElements = 20_000;

/**
 * Stops the animations that follow the visibility of an element in the page. A document has no scroll position, so each element is
 * shown as in the middle of the window, or at another position if it is less transparent there. Returns the number of stopped
 * animations.
 */
export async function revealScrolled(): Promise<number> {
  const animations = animationsOf(document).filter(followsVisibility);
  await waitForStart(animations);
  const held = animations.flatMap(hold);
  const [best, ...others] = positions;
  for (const one of held) moveTo(one, best);
  for (const position of others) moveIfClearer(held, position);
  return held.length;
}

function animationsOf(page: Document): Animation[] {
  const roots = elementsOf(page, maxElements).flatMap(({ shadowRoot }) => shadowRoot ?? []);
  return [page, ...roots].flatMap((root) => root.getAnimations());
}

/** Returns whether the animation follows the visibility of an element in the page. Areas that scroll inside the page stay as they are. */
function followsVisibility({ timeline }: Animation): boolean {
  return timeline instanceof ViewTimeline && timeline.source === document.scrollingElement;
}

async function waitForStart(animations: readonly Animation[]): Promise<void> {
  const { scrollHeight, clientHeight } = document.scrollingElement ?? document.documentElement;
  // In a page that cannot scroll, these animations never start, and their elements are shown without them.
  const starting = scrollHeight > clientHeight ? animations.filter(({ pending }) => pending) : [];
  if (starting.length === 0) return;
  const timeout = new Promise((resolve) => setTimeout(resolve, startTimeoutMs));
  await Promise.race([Promise.all(starting.map(({ ready }) => ready)), timeout]);
}

/** Stops an animation. Returns an empty array if it has not started. */
function hold(animation: Animation): HeldAnimation[] {
  const { effect, startTime } = animation;
  const isStarted = startTime instanceof CSSUnitValue && startTime.unit === 'percent';
  if (!isStarted || !(effect instanceof KeyframeEffect) || effect.target === null) return [];
  animation.pause();
  return [{ animation, target: effect.target, pseudoElement: effect.pseudoElement, start: startTime.value }];
}

function moveTo({ animation, start }: HeldAnimation, position: number): void {
  animation.currentTime = CSS.percent(position - start);
}

/** Moves the animations of transparent elements to a position, except where the element does not become less transparent. */
function moveIfClearer(held: readonly HeldAnimation[], position: number): void {
  const transparent = held
    .map((one) => ({ ...one, opacity: opacityOf(one), time: one.animation.currentTime }))
    .filter(({ opacity }) => opacity < 1);
  for (const one of transparent) moveTo(one, position);
  const notClearer = transparent.filter((one) => opacityOf(one) <= one.opacity);
  for (const { animation, time } of notClearer) animation.currentTime = time;
}

function opacityOf({ target, pseudoElement }: HeldAnimation): number {
  return Number(getComputedStyle(target, pseudoElement).opacity);
}
