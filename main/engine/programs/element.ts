/** What element_to_convert does inside a page: finds the element, in the page or in a frame of its origin, and cuts to it. */
import { cutTo, type CutMode } from './cut.ts';

/** Where the element was. */
export type Found = 'page' | 'frame' | 'nowhere' | 'no selectors';

/** `patience`: milliseconds for the style sheets of a frame that takes the place of the page. */
export async function convertElement(selectors: string, mode: CutMode, patience: number): Promise<Found> {
  try {
    const element = firstIn(document, selectors);
    if (element !== undefined) {
      cutTo(element, mode);
      return 'page';
    }
  } catch {
    return 'no selectors';
  }
  for (const inner of framesOf(document)) {
    const element = firstIn(inner, selectors);
    if (element === undefined) continue;
    await takePlace(inner, patience);
    cutTo(element, mode);
    return 'frame';
  }
  return 'nowhere';
}

/** What is in the head cannot be shown. */
function firstIn(page: Document, selectors: string): Element | undefined {
  return [...page.querySelectorAll(selectors)].find((element) => element.closest('head') === null);
}

/** Documents of frames the page may look into, outer ones first. */
function framesOf(page: Document): Document[] {
  const frames = [...page.querySelectorAll<HTMLIFrameElement>('iframe, frame')];
  const documents = frames.flatMap(({ contentDocument }) => contentDocument ?? []);
  return documents.flatMap((inner) => [inner, ...framesOf(inner)]);
}

/** A frame is one block, which paper would cut; its document becomes the page, with its own styles and addresses. */
async function takePlace(inner: Document, patience: number): Promise<void> {
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
      return new Promise((resolve) => {
        link.addEventListener('load', resolve);
        link.addEventListener('error', resolve);
      });
    });
  await Promise.race([Promise.all(loaded), new Promise((resolve) => setTimeout(resolve, patience))]);
}

/** A constructed sheet belongs to the document it was made for. */
function copyOf(sheet: CSSStyleSheet): CSSStyleSheet {
  const copy = new CSSStyleSheet();
  copy.replaceSync([...sheet.cssRules].map(({ cssText }) => cssText).join('\n'));
  return copy;
}
