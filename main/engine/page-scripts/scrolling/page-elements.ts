/** Finds the elements of a page, including open shadow trees and same-origin frames. Runs inside pages. */

/**
 * Returns the HTML elements in document order, and stops at `maxElements`. The content of a shadow tree or frame follows its host
 * element.
 */
export function elementsOf(page: Document, maxElements: number): HTMLElement[] {
  const found: HTMLElement[] = [];
  collect(page.documentElement);
  return found;

  function collect(root: Element | ShadowRoot): void {
    if ('localName' in root) add(root);
    for (const element of root.querySelectorAll('*')) {
      if (found.length >= maxElements) return;
      add(element);
    }
  }

  function add(element: Element): void {
    // Does not use instanceof, because elements of a frame are instances of that frame's classes. Excludes SVG and MathML elements,
    // which cannot scroll.
    if (!('offsetHeight' in element)) return;
    found.push(element as HTMLElement);
    if (element.shadowRoot !== null) collect(element.shadowRoot);
    const inner = frameDocument(element);
    if (inner !== undefined) collect(inner.documentElement);
  }
}

/** Returns the document of a same-origin iframe; undefined for any other element. */
export function frameDocument(element: Element): Document | undefined {
  if (element.localName !== 'iframe') return undefined;
  const inner = (element as HTMLIFrameElement).contentDocument;
  return inner?.documentElement ? inner : undefined;
}

/** Returns the element that contains this one in the layout: its parent, slot, shadow host or frame. */
export function outerElement(element: Element): HTMLElement | undefined {
  if (element.assignedSlot !== null) return element.assignedSlot;
  if (element.parentElement !== null) return element.parentElement;
  const root = element.getRootNode();
  if ('host' in root) return root.host as HTMLElement;
  return (element.ownerDocument.defaultView?.frameElement ?? undefined) as HTMLElement | undefined;
}
