/** Finds the main content of a page: by its structure where that tells, else by where its text is. */
import { Readability } from '@mozilla/readability';

export function mainContent(): Element | undefined {
  const body = document.body as HTMLElement | null;
  if (body === null) return undefined;
  const found = longest(seen('main, [role=main]')) ?? articleOf(seen('article')) ?? mostText();
  return found === body ? undefined : found;
}

function seen(selectors: string): Element[] {
  const elements = [...document.querySelectorAll(selectors)];
  return elements.filter((element) => element.checkVisibility() && lengthOf(element) > 0);
}

function lengthOf(element: Element): number {
  return element.textContent.replace(/\s+/g, ' ').trim().length;
}

function longest(elements: readonly Element[]): Element | undefined {
  return [...elements].sort((one, other) => lengthOf(other) - lengthOf(one))[0];
}

/** One that holds most of what all hold; else, as in a list of articles, what they are in. */
function articleOf(articles: readonly Element[]): Element | undefined {
  const outer = articles.filter(
    (article) => !articles.some((one) => one !== article && one.contains(article)),
  );
  const main = longest(outer);
  const all = outer.reduce((sum, article) => sum + lengthOf(article), 0);
  return main !== undefined && lengthOf(main) > all / 2 ? main : around(outer);
}

/**
 * Around the texts and pictures that Readability keeps. It works on a copy and changes it, so each element carries its number.
 * What it keeps around them may hold more in the page itself.
 */
function mostText(): Element | undefined {
  const mark = 'data-platen-number';
  const elements = [...document.querySelectorAll('body *')];
  const copy = document.cloneNode(true) as Document;
  copy.querySelectorAll('body *').forEach((element, number) => {
    element.setAttribute(mark, String(number));
  });
  const content = new Readability<Node>(copy, { serializer: (node) => node }).parse()?.content;
  const all = [...((content as Element | undefined)?.querySelectorAll(`[${mark}]`) ?? [])];
  const kept = all.filter(showsSomething);
  return around(kept.flatMap((element) => elements[Number(element.getAttribute(mark))] ?? []));
}

function showsSomething(element: Element): boolean {
  if (element.matches('img, picture, svg, video')) return true;
  return [...element.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ''),
  );
}

/** The innermost element that holds them all. */
function around(elements: readonly Element[]): Element | undefined {
  let found: Element | null | undefined = elements[0];
  while (found && !elements.every((element) => found?.contains(element))) found = found.parentElement;
  return found ?? undefined;
}
