/** What readability_enhancements and auto_detect_element_to_convert do inside a page. */
import { Readability } from '@mozilla/readability';
import { cutTo, type CutMode } from './cut.ts';
import { mainContent } from './main-content.ts';

/** Cuts to the main content; how its tag is written, undefined when there is none. */
export function convertMainContent(mode: CutMode): string | undefined {
  const element = mainContent();
  if (element === undefined) return undefined;
  const [tag = ''] = (element.cloneNode() as Element).outerHTML.split('></');
  cutTo(element, mode);
  return `${tag.replace(/>?$/, '')}>`;
}

/** From 1, which keeps most, to 4. */
export type Level = 1 | 2 | 3 | 4;

/**
 * Makes the page its article: title, author and text, without the page's styles. Characters of the text; 0 when there is no
 * article, and then the page is as it was.
 * @param classes Those the new body gets.
 */
export function showArticle(level: Level, classes: readonly string[]): number {
  if ((document.body as HTMLElement | null) === null) return 0;
  const options = { charThreshold: thresholds[level], serializer: (node: Node) => node };
  const article = new Readability<Node>(document.cloneNode(true) as Document, options).parse();
  const content = article?.content as Element | null | undefined;
  const length = (article?.length ?? 0) || 0;
  if (!article || !content || length < fewest) return 0;
  strip(content, level);
  const page = document.createElement('article');
  if (article.dir) page.dir = article.dir;
  if (article.lang) page.lang = article.lang;
  if (article.title) page.append(line('h1', 'title', article.title));
  if (article.byline) page.append(line('p', 'byline', article.byline));
  page.append(...content.childNodes);
  putInPlace(page, classes);
  return length;
}

/** Where Readability finds less text than this, it searches again and takes more of what is beside it. */
const thresholds: Readonly<Record<Level, number>> = { 1: 1000, 2: 500, 3: 250, 4: 100 };

/** Less is no article but a caption or a notice. */
const fewest = 100;

/** Beyond what Readability takes away itself: forms, asides, footers, navigation. */
function strip(content: Element, level: Level): void {
  if (level >= 2) remove(content, 'iframe, object, embed, video, audio');
  if (level >= 3) {
    remove(content, 'figcaption');
    for (const list of content.querySelectorAll('ul, ol')) if (isOfLinks(list)) list.remove();
  }
  if (level < 4) return;
  remove(content, 'img, picture, svg, canvas, figure:not(:has(table, pre))');
  for (const link of content.querySelectorAll('a')) link.replaceWith(...link.childNodes);
}

function remove(content: Element, selectors: string): void {
  for (const element of content.querySelectorAll(selectors)) element.remove();
}

function isOfLinks(list: Element): boolean {
  const links = [...list.querySelectorAll('a')].map(({ textContent }) => textContent.trim().length);
  const all = list.textContent.replace(/\s+/g, ' ').trim().length;
  return links.reduce((sum, length) => sum + length, 0) > all * 0.8;
}

function line(tag: string, name: string, text: string): Element {
  const element = document.createElement(tag);
  element.className = `service-article-${name}`;
  element.textContent = text;
  return element;
}

/** The caller's own sheet is a child of the root, where no page's can be, and stays. */
function putInPlace(page: Element, classes: readonly string[]): void {
  for (const style of document.querySelectorAll('head style, head link[rel~=stylesheet]')) style.remove();
  const body = document.createElement('body');
  body.classList.add(...classes);
  body.append(page);
  document.body.replaceWith(body);
  document.documentElement.removeAttribute('class');
  document.documentElement.removeAttribute('style');
}
