/**
 * Finds page references, such as `<a class="service-page-ref" href="#prices">`, and shows the page numbers of their targets
 * (docs/page-references.md). Compiled separately and injected into the page as source text.
 */
import { elementPath } from './element-path.ts';
import { addAnchors } from './print-destinations.ts';

export interface PageNumberReference {
  /** The name of the destination that Chromium prints for the target. */
  readonly destination: string;
  /** The value of `data-service-number-format`. */
  readonly format: string;
  /** Whether the document is wrong without the number. A heading in a table of contents may be hidden in print. */
  readonly isRequired: boolean;
  /** A short path to the reference, like a CSS selector. */
  readonly path: string;
  /** Distance of the target from the top of the page in CSS pixels. */
  readonly top: number;
}

/** A reference without a target. `reason`: a clause such as `is not a link`. */
export interface BrokenPageReference {
  readonly path: string;
  readonly reason: string;
}

export interface FoundPageReferences {
  /** The number of references; above `maxReferences`, the lists are empty. */
  readonly count: number;
  readonly references: readonly PageNumberReference[];
  readonly broken: readonly BrokenPageReference[];
}

/** Texts by destination and number format. */
export type PageReferenceTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Finds the references of the document, and lets Chromium print a destination for each target. `prefixes`: of the class names. */
export function findPageReferences(prefixes: readonly string[], maxReferences: number): FoundPageReferences {
  const references: PageNumberReference[] = [];
  const broken: BrokenPageReference[] = [];
  const elements = elementsOf(prefixes);
  if (elements.length > maxReferences) return { count: elements.length, references, broken };
  for (const { element, format } of elements) {
    const path = elementPath(element);
    const found = targetOf(element);
    if ('reason' in found) {
      broken.push({ path, reason: found.reason });
      continue;
    }
    const { target, destination } = found;
    const isRequired = element.closest('.service-toc') === null;
    const top = target.getBoundingClientRect().top + window.scrollY;
    references.push({ destination, format, isRequired, path, top });
  }
  addAnchors([...new Set(references.map(({ destination }) => destination))]);
  return { count: elements.length, references, broken };
}

/** Shows the texts in the references of the document. */
export function fillPageReferences(prefixes: readonly string[], texts: PageReferenceTexts): void {
  for (const { element, format } of elementsOf(prefixes)) {
    const found = targetOf(element);
    const text = 'reason' in found ? undefined : texts[found.destination]?.[format];
    if (text === undefined || text === element.textContent) continue;
    const { firstChild, childNodes } = element;
    // The node stays the same between two prints, because the structure of a tagged PDF refers to nodes.
    if (firstChild instanceof Text && childNodes.length === 1) firstChild.data = text;
    else element.textContent = text;
  }
}

interface ReferenceElement {
  readonly element: Element;
  readonly format: string;
}

function elementsOf(prefixes: readonly string[]): ReferenceElement[] {
  const selector = prefixes.map((prefix) => `.${prefix}-page-ref`).join(',');
  return [...document.querySelectorAll(selector)].map((element) => {
    const formats = prefixes.map((prefix) => element.getAttribute(`data-${prefix}-number-format`));
    // All names of formats are shorter.
    return { element, format: formats.find((format) => format !== null)?.slice(0, 50) ?? 'arabic' };
  });
}

interface Target {
  readonly target: Element;
  readonly destination: string;
}

/** Returns the target of the link that the element is or is in. Its fragment is the name of the destination, percent-encoded. */
function targetOf(element: Element): Target | Pick<BrokenPageReference, 'reason'> {
  const href = element.closest('a[href]')?.getAttribute('href')?.trim() ?? undefined;
  if (href === undefined) return { reason: 'is neither a link nor inside a link' };
  const address = addressOf(href);
  const fragment = address?.hash.slice(1) ?? '';
  if (fragment === '') return { reason: `links to ${quoted(href)}, which is not an element of the page` };
  const target = elementOf(fragment) ?? elementOf(decoded(fragment));
  if (target === undefined) return { reason: `links to ${quoted(href)}, but no element has that id` };
  if (getComputedStyle(target).display !== 'contents') return { target, destination: fragment };
  // An element without a box has no place on a page.
  const first = [...target.querySelectorAll('*')].find((child) => child.getClientRects().length > 0);
  if (first === undefined) return { target, destination: fragment };
  if (first.id === '')
    first.id = `service-page-target-${document.querySelectorAll('[id^="service-page-target-"]').length + 1}`;
  return { target: first, destination: encodeURIComponent(first.id) };
}

function quoted(href: string): string {
  return JSON.stringify(href.length > 100 ? `${href.slice(0, 100)}...` : href);
}

/** Returns the URL of a link inside the page; undefined for any other link. A fragment alone means this page, whatever its base. */
function addressOf(href: string): URL | undefined {
  const base = href.startsWith('#') ? document.URL : document.baseURI;
  if (!URL.canParse(href, base)) return undefined;
  const address = new URL(href, base);
  return withoutFragment(address.href) === withoutFragment(document.URL) ? address : undefined;
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}

function elementOf(name: string): Element | undefined {
  const named = [...document.getElementsByName(name)].find((element) => element.localName === 'a');
  return document.getElementById(name) ?? named;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
