/** Lays a page out in columns of the size of a printed page, which changes it for good. Part of the program `breaks`. */

/** Breaks between pages become breaks between columns; gives the elements that are to stay whole. */
export function turnIntoColumnBreaks(elements: readonly HTMLElement[]): ReadonlySet<Element> {
  const avoiding = new Set<Element>();
  const forced = /^(page|left|right|recto|verso)$/;
  const changes = elements.map((element) => {
    const { breakBefore, breakAfter, breakInside } = getComputedStyle(element);
    // Chromium's own print style says it of these, and means something else (print.ts).
    if (breakInside.startsWith('avoid') && !/^(thead|tfoot)$/.test(element.localName)) avoiding.add(element);
    return { element, before: forced.test(breakBefore), after: forced.test(breakAfter), breakInside };
  });
  for (const { element, before, after, breakInside } of changes) {
    if (before) element.style.setProperty('break-before', 'column', 'important');
    if (after) element.style.setProperty('break-after', 'column', 'important');
    if (breakInside === 'avoid-page') element.style.setProperty('break-inside', 'avoid', 'important');
  }
  return avoiding;
}

/** So far apart that nothing reaches into the next. */
export function layOutColumns(width: number, height: number): void {
  const set = (element: HTMLElement, styles: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important');
  };
  set(document.documentElement, {
    ...{ display: 'block', direction: 'ltr', margin: '0', padding: '0', border: '0', overflow: 'visible' },
    ...{ width: `${width}px`, 'min-width': '0', 'max-width': 'none' },
    ...{ height: `${height}px`, 'min-height': '0', 'max-height': 'none' },
    ...{ columns: `${width}px 1`, 'column-gap': `${width}px`, 'column-fill': 'auto', 'column-rule': '0' },
    // What cannot be pointed at could not be found.
    'pointer-events': 'auto',
  });
  const body = document.querySelector('body');
  if (body && getComputedStyle(body).overflow !== 'visible') set(body, { overflow: 'visible' });
}
