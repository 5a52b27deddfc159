/** Finds the controls of a page that become fields. Part of the program `controls`. */

/** In the order of the document, with those in open shadow trees. */
export function findControls(): Element[] {
  const found: Element[] = [];
  const wanted =
    'textarea, select, button, input:not([type=hidden], [type=file], [type=color], [type=range], [type=image], [type=button])';
  const search = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.matches(wanted) && isShown(element)) found.push(element);
      if (element.shadowRoot !== null) search(element.shadowRoot);
    }
  };
  search(document);
  for (const element of found) {
    const type = element.getAttribute('type') ?? '';
    if (!/^(checkbox|radio)$/i.test(type)) continue;
    // Chromium builds nothing inside these, but keeps the root they had as another type.
    element.setAttribute('type', 'text');
    element.setAttribute('type', type);
  }
  return found;
}

/** Pages that draw boxes of their own hide the true ones: transparent, cut to nothing, tiny or outside of the page. */
export function isShown(element: Element): boolean {
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  const { width, height, right, bottom } = element.getBoundingClientRect();
  if (width < 4 || height < 4 || right + scrollX <= 0 || bottom + scrollY <= 0) return false;
  const style = getComputedStyle(element);
  const cut = /^inset\((50|100)%/.test(style.clipPath) || style.getPropertyValue('clip') !== 'auto';
  return !cut;
}

/** Chromium shows nothing inside a list box but its options, and something inside these. */
export function hostOf(element: Element): Element | undefined {
  return isListBox(element) ? element.options[0] : element;
}

/** A select whose options are all to be seen. */
export function isListBox(element: Element): element is HTMLSelectElement {
  return element instanceof HTMLSelectElement && (element.multiple || element.size > 1);
}
