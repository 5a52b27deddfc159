/**
 * Leaves one element of a page and takes the rest away. Its ancestors stay in the document, so that the rules of the page
 * that name them, and what the element inherits, still apply.
 */
export type CutMode = 'cut-out' | 'remove-siblings' | 'hide-siblings';

export function cutTo(element: Element, mode: CutMode): void {
  const top = (document.body as HTMLElement | null) ?? document.documentElement;
  if (element === top || !top.contains(element)) return;
  const { position } = getComputedStyle(element);
  const scrolls = element.scrollHeight > element.clientHeight + 1;
  for (let inner = element; inner !== top; inner = inner.parentElement ?? top) {
    for (const node of [...(inner.parentNode?.childNodes ?? [])]) if (node !== inner) takeAway(node, mode);
    if (inner !== element && mode === 'cut-out') unbox(inner);
  }
  if (mode !== 'cut-out') return;
  // The columns of the body were made for what is gone; a body as tall as the window would cut what is taller.
  set(top, { display: 'block', ...unrolled });
  set(element, { float: 'none' });
  if (!['static', 'relative'].includes(position)) set(element, inTheFlow);
  if (scrolls && /auto|scroll/.test(getComputedStyle(element).overflowY)) set(element, unrolled);
}

/** What was laid over a page would be cut at the end of the first one, or repeated on each. */
const inTheFlow = { position: 'relative', inset: 'auto', transform: 'none', translate: 'none' };

/** Paper does not scroll. */
const unrolled = { height: 'auto', 'max-height': 'none', overflow: 'visible' };

function takeAway(node: ChildNode, mode: CutMode): void {
  if (isElement(node)) takeElementAway(node, mode);
  else if (node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? '')) {
    if (mode === 'hide-siblings') hideText(node);
    else node.remove();
  }
}

function takeElementAway(element: Element, mode: CutMode): void {
  if (element.matches('style, link, script, template, title, meta, base') || showsNothing(element)) return;
  const needed = element.querySelector(neededByOthers) !== null;
  if (needed && element.localName !== 'svg') {
    for (const node of [...element.childNodes]) takeAway(node, mode);
    unbox(element);
  } else if (needed || mode === 'hide-siblings') set(element, { display: 'none' });
  else element.remove();
}

/** Styles, and drawings that others show by their names. */
const neededByOthers = 'style, link[rel~=stylesheet], symbol, defs';

/** As drawings that only define; with display:none, what they define would be gone too. */
function showsNothing(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return element.localName === 'svg' && width * height === 0;
}

function hideText(text: ChildNode): void {
  const cover = document.createElement('span');
  text.replaceWith(cover);
  cover.append(text);
  set(cover, { display: 'none' });
}

/** Without a box it has no size, background or columns. Parts of a drawing have none anyway. */
function unbox(ancestor: Element): void {
  if (ancestor.namespaceURI !== 'http://www.w3.org/1999/xhtml') return;
  if (ancestor.localName === 'details') ancestor.setAttribute('open', '');
  set(ancestor, { display: 'contents' });
}

function set(element: Element, styles: Readonly<Record<string, string>>): void {
  // Elements that came out of a frame are instances of that frame's classes.
  const { style } = element as HTMLElement;
  for (const [name, value] of Object.entries(styles)) style.setProperty(name, value, 'important');
}

function isElement(node: ChildNode): node is Element & ChildNode {
  return node.nodeType === Node.ELEMENT_NODE;
}
