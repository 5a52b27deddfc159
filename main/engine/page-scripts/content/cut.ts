/**
 * Reduces a page to one element. The ancestors of the element stay in the document, so that the page's CSS selectors and inherited
 * styles still apply.
 */
export type CutMode = 'cut-out' | 'remove-siblings' | 'hide-siblings';

export function reduceTo(element: Element, mode: CutMode): void {
  const top = (document.body as HTMLElement | null) ?? document.documentElement;
  if (element === top || !top.contains(element)) return;
  const { position } = getComputedStyle(element);
  const scrolls = element.scrollHeight > element.clientHeight + 1;
  for (let inner = element; inner !== top; inner = inner.parentElement ?? top) {
    for (const node of [...(inner.parentNode?.childNodes ?? [])]) if (node !== inner) removeNode(node, mode);
    if (inner !== element && mode === 'cut-out') removeBox(inner);
  }
  if (mode !== 'cut-out') return;
  // A flex or grid layout of the body was meant for the removed content. A body as tall as the viewport would cut taller content.
  setImportantStyles(top, { display: 'block', ...unscrolledStyles });
  setImportantStyles(element, { float: 'none' });
  if (!['static', 'relative'].includes(position)) setImportantStyles(element, inFlowStyles);
  if (scrolls && /auto|scroll/.test(getComputedStyle(element).overflowY))
    setImportantStyles(element, unscrolledStyles);
}

/** Moves an overlay into the flow. Otherwise it would be cut at the end of the first page or repeated on each page. */
const inFlowStyles = { position: 'relative', inset: 'auto', transform: 'none', translate: 'none' };

/** Shows the whole content of a scroll area, because paper does not scroll. */
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
  } else if (needed || mode === 'hide-siblings') setImportantStyles(element, { display: 'none' });
  else element.remove();
}

/** Matches style sheets, and SVG definitions that other elements may refer to. */
const neededByOthers = 'style, link[rel~=stylesheet], symbol, defs';

/**
 * Returns whether the element is an SVG without a size, which usually contains only definitions. With display: none, these would
 * not work.
 */
function isInvisibleSvg(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return element.localName === 'svg' && width * height === 0;
}

function hideText(text: ChildNode): void {
  const wrapper = document.createElement('span');
  text.replaceWith(wrapper);
  wrapper.append(text);
  setImportantStyles(wrapper, { display: 'none' });
}

/** Removes the box of an HTML element, with its size, background and columns. Leaves SVG elements unchanged. */
function removeBox(ancestor: Element): void {
  if (ancestor.namespaceURI !== 'http://www.w3.org/1999/xhtml') return;
  if (ancestor.localName === 'details') ancestor.setAttribute('open', '');
  setImportantStyles(ancestor, { display: 'contents' });
}

function setImportantStyles(element: Element, styles: Readonly<Record<string, string>>): void {
  // Does not use instanceof, because elements from a frame are instances of that frame's classes.
  const { style } = element as HTMLElement;
  for (const [name, value] of Object.entries(styles)) style.setProperty(name, value, 'important');
}

function isElement(node: ChildNode): node is Element & ChildNode {
  return node.nodeType === Node.ELEMENT_NODE;
}
