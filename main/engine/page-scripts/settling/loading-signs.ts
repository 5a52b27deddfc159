/**
 * Detects whether a page looks unfinished: whether it is empty, or shows signs that it is still loading. Such a page gets more time
 * for slow responses. Part of the page script `settling`.
 */
import { isTransparent } from '../transparent-colour.ts';

/** What the page's scripts have done to elements. */
interface ElementChanges {
  /** Returns whether a script has drawn on the canvas. */
  readonly isDrawn: (canvas: HTMLCanvasElement) => boolean;
  /** Returns whether the value of the progress bar has changed. */
  readonly hasMoved: (bar: Element) => boolean;
}

const loadingSigns = [
  '[aria-busy="true"]',
  '[role="progressbar"]:not([aria-valuenow])',
  'progress:not([value])',
  '[data-loading]:not([data-loading="false" i])',
  '[data-state="loading" i]',
  ...['spinner', 'skeleton', 'loading', 'loader', 'placeholder-glow', 'shimmer'].map(
    (word) => `[class*="${word}" i]:not(img)`,
  ),
].join(', ');

/** Matches progress bars with a value. Many are figures of a finished page, so only a value that changes is a sign of loading. */
const valuedBars = '[role="progressbar"][aria-valuenow], progress[value]';

/** Matches a text that begins with a word for loading. With more words, as in "Loading dock", it may be content. */
const loadingPhrase =
  /^\W*(loading|connecting|initiali[sz]ing|please wait|wait|fetching|lädt|laden|wird geladen|bitte warten|chargement|cargando|caricamento)\b.{0,40}$/i;
/** Matches a whole percentage at the end of a text. */
const percentage = /(?<![\d.,])\d{1,2} ?%\)?$/;
/** Matches an ellipsis alone. */
const ellipsis = /^\s*(\.{3}|…)\s*$/;
/** The share of the page's text that a text must have to mean loading without an ellipsis or a percentage. */
const minLoadingShare = 1 / 3;

/** Words that also begin headings. They mean work only with an ellipsis or a percentage. */
const workingWords =
  /^\W*(analy[sz]ing|building|calculating|computing|creating|downloading|generating|importing|preparing|processing|rendering|retrieving|searching|thinking|updating|working)\b.{0,50}$/i;

/** Matches a text that stands for a missing value. */
const dashes = /^[-–—]{1,3}$/;

/** Matches elements that scripts usually fill with content. */
const containers = 'main, section, article, tbody, ul, ol, div[id], svg[id], table[id], span[id], p[id]';
const maxTexts = 5000;
const maxAnimations = 200;
/**
 * The area of an endlessly animated element without text that is a sign of loading, in square pixels: larger than the dot beside
 * "Live", and a smaller share of the window than an animated background.
 */
const minAnimatedArea = 300;
const maxAnimatedShare = 0.5;

/** Returns whether the page is empty, shows a sign of loading, or has an empty container that a script may fill. */
export function looksUnfinished(changes: ElementChanges): boolean {
  const { body } = document as { readonly body: HTMLElement | null };
  if (body === null) return false;
  const pageText = body.innerText;
  const isEmpty = !/\S/.test(pageText) && document.querySelector('img, svg, canvas, video') === null;
  return (
    isEmpty ||
    showsLoadingSign(body, changes) ||
    showsLoadingText(body, pageText.trim().length) ||
    hasPlaceholderAnimation() ||
    hasEmptyContainer(body)
  );
}

function showsLoadingSign(body: HTMLElement, changes: ElementChanges): boolean {
  const shown = (selectors: string) => [...body.querySelectorAll(selectors)].filter(hasBox);
  return (
    shown(loadingSigns).length > 0 ||
    shown(valuedBars).some((bar) => changes.hasMoved(bar)) ||
    shown('canvas').some(
      (canvas) => canvas instanceof HTMLCanvasElement && !changes.isDrawn(canvas) && !isBackground(canvas),
    )
  );
}

/** Returns whether a text consists of loading words, or whether more texts are dashes than contain a number. */
function showsLoadingText(body: HTMLElement, pageLength: number): boolean {
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  let dashCount = 0;
  let numberCount = 0;
  for (let checked = 0; checked < maxTexts && texts.nextNode() !== null; checked += 1) {
    const text = texts.currentNode.nodeValue ?? '';
    const isDash = text.length < 100 && dashes.test(text.trim());
    const isSign = text.length < 100 && isLoadingText(text, pageLength);
    if (!isDash && !isSign && !/\d/.test(text)) continue;
    if (!isShown(texts.currentNode.parentElement)) continue;
    if (isSign) return true;
    if (isDash) dashCount += 1;
    else numberCount += 1;
  }
  return dashCount > 1 && dashCount > numberCount;
}

function isLoadingText(text: string, pageLength: number): boolean {
  if (ellipsis.test(text)) return true;
  if (loadingPhrase.test(text))
    return isSingleWord(text) || reportsWork(text) || text.length >= minLoadingShare * pageLength;
  return workingWords.test(text) && reportsWork(text);
}

/** Returns whether the text ends with an ellipsis, or with a share of the work, unlike "Processing fee 2 %". */
function reportsWork(text: string): boolean {
  const trimmed = text.trim();
  if (/(\.{3}|…)$/.test(trimmed)) return true;
  const match = percentage.exec(trimmed);
  if (match === null) return false;
  const subject = trimmed.slice(0, match.index).trim();
  return isSingleWord(subject) || /[:(–-]$/.test(subject);
}

function isSingleWord(text: string): boolean {
  return !/\s/.test(text.trim());
}

/** Returns whether an element without text, such as a spinner or the bar of a skeleton, is animated endlessly. */
function hasPlaceholderAnimation(): boolean {
  const maxArea = maxAnimatedShare * innerWidth * innerHeight;
  return document
    .getAnimations()
    .slice(0, maxAnimations)
    .some(({ effect, playState }) => {
      const { target } = (effect ?? {}) as { readonly target?: Element | null };
      if (!target || playState === 'finished' || effect?.getTiming().iterations !== Infinity) return false;
      const { width, height } = target.getBoundingClientRect();
      const area = width * height;
      return area >= minAnimatedArea && area <= maxArea && !/\S/.test(target.textContent);
    });
}

function hasEmptyContainer(body: HTMLElement): boolean {
  for (const element of body.querySelectorAll(containers))
    if (element.firstElementChild === null && !/\S/.test(element.textContent) && !isDecoration(element))
      return true;
  return false;
}

function isShown(element: Element | null): boolean {
  return element !== null && hasBox(element) && !element.matches('script, style, noscript, template');
}

function hasBox(element: Element): boolean {
  return element.getClientRects().length > 0;
}

/** Returns whether a canvas decorates the page: it is hidden from assistive technology, or behind the content. */
function isBackground(canvas: HTMLCanvasElement): boolean {
  const { position, zIndex, pointerEvents } = getComputedStyle(canvas);
  return (
    canvas.closest('[aria-hidden="true"]') !== null ||
    position === 'fixed' ||
    Number(zIndex) < 0 ||
    pointerEvents === 'none'
  );
}

/** Returns whether an empty element is painted, as a bar or an icon is, or not displayed at all. */
function isDecoration(element: Element): boolean {
  const { backgroundImage, backgroundColor, borderTopWidth, display } = getComputedStyle(element);
  const isPainted = backgroundImage !== 'none' || !isTransparent(backgroundColor) || borderTopWidth !== '0px';
  return display === 'none' || (isPainted && element.getBoundingClientRect().height > 0);
}
