/**
 * Cuts a page to one element. Its ancestors stay in the document, so that the page's CSS selectors and inherited
 * styles still apply.
 */
export type CutMode = 'cut-out' | 'remove-siblings' | 'hide-siblings';

export function cutTo(element: Element, mode: CutMode): void {
  const top = (document.body as HTMLElement | null) ?? document.documentElement;
  if (element === top || !top.contains(element)) return;
  const { position } = getComputedStyle(element);
  const scrolls = element.scrollHeight > element.clientHeight + 1;
  for (let inner = element; inner !== top; inner = inner.parentElement ?? top) {
    for (const node of [...(inner.parentNode?.childNodes ?? [])]) if (node !== inner) removeNode(node, mode);
    if (inner !== element && mode === 'cut-out') removeBox(inner);
  }
  if (mode !== 'cut-out') return;
  // A flex or grid layout of the body was meant for the removed content. A body as tall as the window would cut taller content.
  set(top, { display: 'block', ...unscrolledStyles });
  set(element, { float: 'none' });
  if (!['static', 'relative'].includes(position)) set(element, inFlowStyles);
  if (scrolls && /auto|scroll/.test(getComputedStyle(element).overflowY)) set(element, unscrolledStyles);
}

/** An overlay would be cut at the end of the first page or repeated on each page. */
const inFlowStyles = { position: 'relative', inset: 'auto', transform: 'none', translate: 'none' };

/** Paper does not scroll. */
const unscrolledStyles = { height: 'auto', 'max-height': 'none', overflow: 'visible' };

function removeNode(node: ChildNode, mode: CutMode): void {
  if (isElement(node)) removeElement(node, mode);
  else if (node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? '')) {
    if (mode === 'hide-siblings') hideText(node);
    else node.remove();
  }
}

function removeElement(element: Element, mode: CutMode): void {
  if (element.matches('style, link, script, template, title, meta, base') || isInvisibleSvg(element)) return;
  const needed = element.querySelector(neededByOthers) !== null;
  if (needed && element.localName !== 'svg') {
    for (const node of [...element.childNodes]) removeNode(node, mode);
    removeBox(element);
  } else if (needed || mode === 'hide-siblings') set(element, { display: 'none' });
  else element.remove();
}

/** Styles, and SVG definitions that other elements refer to. */
const neededByOthers = 'style, link[rel~=stylesheet], symbol, defs';

/** Returns whether this is an SVG that only contains definitions. With display:none, they would not work. */
function isInvisibleSvg(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return element.localName === 'svg' && width * height === 0;
}

function hideText(text: ChildNode): void {
  const wrapper = document.createElement('span');
  text.replaceWith(wrapper);
  wrapper.append(text);
  set(wrapper, { display: 'none' });
}

/** Removes the box of an ancestor, and so its size, background and columns. Parts of an SVG have no such box. */
function removeBox(ancestor: Element): void {
  if (ancestor.namespaceURI !== 'http://www.w3.org/1999/xhtml') return;
  if (ancestor.localName === 'details') ancestor.setAttribute('open', '');
  set(ancestor, { display: 'contents' });
}

function set(element: Element, styles: Readonly<Record<string, string>>): void {
  // Elements from a frame are instances of that frame's classes.
  const { style } = element as HTMLElement;
  for (const [name, value] of Object.entries(styles)) style.setProperty(name, value, 'important');
}

function isElement(node: ChildNode): node is Element & ChildNode {
  return node.nodeType === Node.ELEMENT_NODE;
}
