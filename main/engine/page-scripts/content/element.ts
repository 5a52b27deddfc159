/**
 * Implements element_to_convert inside a page: finds the element, in the page or in a same-origin frame, and reduces the page to
 * it.
 */
import { reduceTo, type CutMode } from './cut.ts';

/**
 * Where the element was found; `no selectors` if the selectors are invalid. `frame without styles`: the style sheets of the frame
 * had not loaded within the timeout.
 */
type ElementLocation = 'page' | 'frame' | 'frame without styles' | 'nowhere' | 'no selectors';

/** Reduces the page to the first matching element. `timeoutMs`: timeout for the style sheets of a frame that replaces the page. */
export async function convertElement(
  selectors: string,
  mode: CutMode,
  timeoutMs: number,
): Promise<ElementLocation> {
  let element: Element | undefined;
  try {
    element = firstIn(document, selectors);
  } catch {
    return 'no selectors';
  }
  if (element !== undefined) {
    reduceTo(element, mode);
    return 'page';
  }
  for (const inner of framesOf(document)) {
    const innerElement = firstIn(inner, selectors);
    if (innerElement === undefined) continue;
    const isStyled = await replacePage(inner, timeoutMs);
    reduceTo(innerElement, mode);
    return isStyled ? 'frame' : 'frame without styles';
  }
  return 'nowhere';
}

/** Returns the first match outside the head, because elements in the head are not displayed. */
function firstIn(page: Document, selectors: string): Element | undefined {
  return [...page.querySelectorAll(selectors)].find((element) => element.closest('head') === null);
}

/** Returns the documents of all same-origin frames, each followed by those of the frames inside it. */
function framesOf(page: Document): Document[] {
  const frames = [...page.querySelectorAll<HTMLIFrameElement>('iframe, frame')];
  const documents = frames.flatMap(({ contentDocument }) => contentDocument ?? []);
  return documents.flatMap((inner) => [inner, ...framesOf(inner)]);
}

/**
 * Replaces the page with a frame's document, including the styles and the base address of the frame. A frame itself would print as
 * one block, which page breaks would cut. Resolves with whether all style sheets loaded or failed within the timeout.
 */
async function replacePage(inner: Document, timeoutMs: number): Promise<boolean> {
  const base = document.createElement('base');
  base.href = inner.baseURI;
  inner.head.prepend(base);
  const sheets = inner.adoptedStyleSheets.map(copyOf);
  document.documentElement.replaceWith(inner.documentElement);
  document.adoptedStyleSheets.push(...sheets);
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel~=stylesheet]')];
  const loaded = links
    .filter((link) => link.sheet === null && !link.disabled)
    .map((link) => {
      // Chromium sends no load or error event to a link that was moved from a frame.
      const copy = link.cloneNode() as HTMLLinkElement;
      const ended = new Promise((resolve) => {
        copy.addEventListener('load', resolve);
        copy.addEventListener('error', resolve);
      });
      link.replaceWith(copy);
      return ended;
    });
  const allLoaded = Promise.all(loaded).then(() => true);
  return await Promise.race([
    allLoaded,
    new Promise<boolean>((resolve) => {
      setTimeout(resolve, timeoutMs, false);
    }),
  ]);
}

/** Returns a copy of a constructed style sheet, because only the document that created a sheet can adopt it. */
function copyOf(sheet: CSSStyleSheet): CSSStyleSheet {
  const copy = new CSSStyleSheet();
  copy.replaceSync([...sheet.cssRules].map(({ cssText }) => cssText).join('\n'));
  return copy;
}
