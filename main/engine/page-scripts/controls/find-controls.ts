/** Finds the controls of a page that become form fields. Part of the page script `controls`. */

/** Returns the controls in document order, including those in open shadow trees. */
export function findControls(): Element[] {
  const found: Element[] = [];
  const fieldSelector =
    'textarea, select, button, input:not([type=hidden], [type=file], [type=color], [type=range], [type=image], [type=button])';
  const search = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.matches(fieldSelector) && isShown(element)) found.push(element);
      if (element.shadowRoot !== null) search(element.shadowRoot);
    }
  };
  search(document);
  for (const element of found) {
    const type = element.getAttribute('type') ?? '';
    if (!/^(checkbox|radio)$/i.test(type)) continue;
    // The cover needs a shadow tree. Chromium creates none for check boxes and radio buttons, but keeps one of an earlier type.
    element.setAttribute('type', 'text');
    element.setAttribute('type', type);
  }
  return found;
}

/**
 * Returns whether a control is visible. Pages that draw their own check boxes hide the native controls: they make the controls
 * transparent, clipped or tiny, or move them outside the page.
 */
function isShown(element: Element): boolean {
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  const { width, height, right, bottom } = element.getBoundingClientRect();
  if (width < 4 || height < 4 || right + scrollX <= 0 || bottom + scrollY <= 0) return false;
  const style = getComputedStyle(element);
  const isClipped = /^inset\((50|100)%/.test(style.clipPath) || style.getPropertyValue('clip') !== 'auto';
  return !isClipped;
}

/**
 * Returns the element that can contain the cover: the control, or the first option of a list box, in which Chromium displays only
 * options. Returns undefined for a list box without options.
 */
export function hostOf(element: Element): Element | undefined {
  return isListBox(element) ? element.options[0] : element;
}

/** Returns whether the element is a select that is displayed as a list box, not as a drop-down list. */
export function isListBox(element: Element): element is HTMLSelectElement {
  return element instanceof HTMLSelectElement && (element.multiple || element.size > 1);
}
