/** Implements readability_enhancements and auto_detect_element_to_convert inside a page. */
import { Readability } from '@mozilla/readability';
import { reduceTo, type CutMode } from './cut.ts';

/** Reduces the page to its main content. Returns the start tag of the element with this content; undefined if none is found. */
export function convertMainContent(mode: CutMode): string | undefined {
  const element = mainContent();
  if (element === undefined) return undefined;
  const [tag = ''] = (element.cloneNode() as Element).outerHTML.split('></');
  reduceTo(element, mode);
  return `${tag.replace(/>?$/, '')}>`;
}

/** How much is removed: from 1 (least) to 4 (most). */
export type ReadabilityLevel = 1 | 2 | 3 | 4;

/**
 * Replaces the page with its article: title, author and text, without the page's styles. Returns the length of the text in
 * characters. If no article is found, returns 0 and leaves the page unchanged.
 * @param classes CSS classes of the new body.
 */
export function showArticle(level: ReadabilityLevel, classes: readonly string[]): number {
  if ((document.body as HTMLElement | null) === null) return 0;
  const options = { charThreshold: charThresholds[level], serializer: (node: Node) => node };
  const article = new Readability<Node>(document.cloneNode(true) as Document, options).parse();
  const content = article?.content as Element | null | undefined;
  const length = (article?.length ?? 0) || 0;
  if (!article || !content || length < minCharacters) return 0;
  removeByLevel(content, level);
  const page = document.createElement('article');
  if (article.dir) page.dir = article.dir;
  if (article.lang) page.lang = article.lang;
  if (article.title) page.append(articleLine('h1', 'title', article.title));
  if (article.byline) page.append(articleLine('p', 'byline', article.byline));
  page.append(...content.childNodes);
  replaceBody(page, classes);
  return length;
}

/** If Readability finds fewer characters than this, it searches again and keeps more of the surrounding content. */
const charThresholds: Readonly<Record<ReadabilityLevel, number>> = { 1: 1000, 2: 500, 3: 250, 4: 100 };

/** Shorter text counts as a caption or a notice, not as an article. */
const minCharacters = 100;

/** Removes further elements according to the level. Readability has already removed forms, asides, footers and navigation. */
function removeByLevel(content: Element, level: ReadabilityLevel): void {
  if (level >= 2) remove(content, 'iframe, object, embed, video, audio');
  if (level >= 3) {
    remove(content, 'figcaption');
    for (const list of content.querySelectorAll('ul, ol')) if (isLinkList(list)) list.remove();
  }
  if (level < 4) return;
  remove(content, 'img, picture, svg, canvas, figure:not(:has(table, pre))');
  for (const link of content.querySelectorAll('a')) link.replaceWith(...link.childNodes);
}

function remove(content: Element, selectors: string): void {
  for (const element of content.querySelectorAll(selectors)) element.remove();
}

function isLinkList(list: Element): boolean {
  const links = [...list.querySelectorAll('a')].map(({ textContent }) => textContent.trim().length);
  const all = list.textContent.replace(/\s+/g, ' ').trim().length;
  return links.reduce((sum, length) => sum + length, 0) > all * 0.8;
}

function articleLine(tag: string, name: string, text: string): Element {
  const element = document.createElement(tag);
  element.className = `service-article-${name}`;
  element.textContent = text;
  return element;
}

/**
 * Replaces the body and removes the page's styles. The caller's style sheet stays, because it is a child of the root element, not
 * of the head.
 */
function replaceBody(page: Element, classes: readonly string[]): void {
  for (const style of document.querySelectorAll('head style, head link[rel~=stylesheet]')) style.remove();
  const body = document.createElement('body');
  body.classList.add(...classes);
  body.append(page);
  document.body.replaceWith(body);
  document.documentElement.removeAttribute('class');
  document.documentElement.removeAttribute('style');
}

// Finds the main content of a page: by its structure if possible, otherwise by its text.

function mainContent(): Element | undefined {
  const body = document.body as HTMLElement | null;
  if (body === null) return undefined;
  const found =
    longestText(visibleElements('main, [role=main]')) ??
    mainArticle(visibleElements('article')) ??
    textContainer();
  return found === body ? undefined : found;
}

function visibleElements(selectors: string): Element[] {
  const elements = [...document.querySelectorAll(selectors)];
  return elements.filter((element) => element.checkVisibility() && lengthOf(element) > 0);
}

function lengthOf(element: Element): number {
  return element.textContent.replace(/\s+/g, ' ').trim().length;
}

function longestText(elements: readonly Element[]): Element | undefined {
  return [...elements].sort((left, right) => lengthOf(right) - lengthOf(left))[0];
}

/**
 * Returns the article with more than half of the text of all articles. If there is none, as in a list of articles, returns the
 * common ancestor of all articles.
 */
function mainArticle(articles: readonly Element[]): Element | undefined {
  const outer = articles.filter(
    (article) => !articles.some((element) => element !== article && element.contains(article)),
  );
  const main = longestText(outer);
  const all = outer.reduce((sum, article) => sum + lengthOf(article), 0);
  return main !== undefined && lengthOf(main) > all / 2 ? main : commonAncestor(outer);
}

/**
 * Returns the common ancestor of the text and images that Readability keeps. Readability works on a copy of the page, in which an
 * attribute of each element contains the number of the original element. Elements that only contain other elements do not count,
 * because in the page they may also contain content that Readability removes.
 */
function textContainer(): Element | undefined {
  const numberAttribute = 'data-platen-number';
  const elements = [...document.querySelectorAll('body *')];
  const copy = document.cloneNode(true) as Document;
  copy.querySelectorAll('body *').forEach((element, number) => {
    element.setAttribute(numberAttribute, String(number));
  });
  const content = new Readability<Node>(copy, { serializer: (node) => node }).parse()?.content;
  const all = [...((content as Element | undefined)?.querySelectorAll(`[${numberAttribute}]`) ?? [])];
  const keptElements = all.filter(showsSomething);
  return commonAncestor(
    keptElements.flatMap((element) => elements[Number(element.getAttribute(numberAttribute))] ?? []),
  );
}

function showsSomething(element: Element): boolean {
  if (element.matches('img, picture, svg, video')) return true;
  return [...element.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ''),
  );
}

/** Returns the innermost element that contains all of the elements; undefined if there are none. */
function commonAncestor(elements: readonly Element[]): Element | undefined {
  let found: Element | null | undefined = elements[0];
  while (found && !elements.every((element) => found?.contains(element))) found = found.parentElement;
  return found ?? undefined;
}
