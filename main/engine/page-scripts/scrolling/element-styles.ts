/** Reads and sets styles of an element. Runs inside pages. */

/** Returns whether the element is displayed: neither hidden nor transparent. */
export function isVisible(element: Element): boolean {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

/** Sets inline styles that override the styles of the page. */
export function setImportantStyles(element: HTMLElement, styles: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important');
}
