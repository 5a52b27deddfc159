/** Lays links over controls and takes their values out of the print. Part of the program `controls`. */
import type { FormField } from '../form-field.ts';
import { describeControl, labelsOf } from './describe-control.ts';
import { kindOf } from './control-kind.ts';
import { isListBox } from './find-controls.ts';

/** All is read before anything is changed, so that the page is laid out twice and not once for each control. */
export function coverControls(
  controls: Element[],
  roots: (Element | ShadowRoot | null)[],
  prefix: string,
): FormField[] {
  const groups = new Map<string, string>();
  const labels = labelsOf(document);
  const read = controls.flatMap((element, index) => {
    const [control, root] = [element as HTMLElement, roots[index]];
    const kind = kindOf(control, groups);
    if (!kind || !root) return [];
    const { position, width, height } = getComputedStyle(control);
    const scrolled = control.scrollTop > 0 || control.scrollLeft > 0;
    const field = { ...describeControl(control, labels), ...kind, marker: `${prefix}${index}` };
    return [{ control, root, field, layout: { position, width, height, scrolled } }];
  });
  for (const { control, layout } of read) fixLayout(control, layout);
  const covered = read.map((one) => ({ ...one, cover: coverWith(one.field.marker, one.control, one.root) }));
  const measured = covered.map((one) => {
    const { width, height } = getComputedStyle(one.cover);
    return { ...one, width: Number.parseFloat(width) || 0, height: Number.parseFloat(height) || 0 };
  });
  return measured.flatMap(({ control, root, cover, field, width, height }) => {
    // What Chromium does not show has no place, and what has none stays as it is.
    if (width <= 0 || height <= 0) {
      cover.remove();
      return [];
    }
    hideValue(control, root, cover);
    return [{ ...field, box: { ...field.box, width, height } } as FormField];
  });
}

/** Makes the control what its cover is placed by. */
export function fixLayout(
  control: HTMLElement,
  layout: { position: string; width: string; height: string; scrolled: boolean },
): void {
  const set = (name: string, value: string) => {
    control.style.setProperty(name, value, 'important');
  };
  set('transition', 'none');
  if (layout.position === 'static') set('position', 'relative');
  if (!isListBox(control) && !(control instanceof HTMLTextAreaElement)) return;
  // Nobody scrolls paper, and without its bars it would become narrower.
  set('width', layout.width);
  set('height', layout.height);
  set('overflow', 'hidden');
  set('resize', 'none');
  if (layout.scrolled) control.scrollTo(0, 0);
}

export function coverWith(marker: string, control: HTMLElement, root: Element | ShadowRoot): HTMLElement {
  const cover = document.createElement('a');
  cover.href = marker;
  // In a button it is under the rules of the page. (For all it would be four hundred declarations each.)
  const alone = root === control ? 'all: initial; ' : '';
  cover.style.cssText = `${alone}display: block; visibility: visible; position: absolute; inset: 0`;
  // Inside a select Chromium shows only the one element with its text.
  const parent = control instanceof HTMLSelectElement ? (root.querySelector('div') ?? root) : root;
  parent.append(cover);
  return cover;
}

/** Also the icons of date and number inputs, which would do nothing. A button keeps its text. */
export function hideValue(control: HTMLElement, root: Element | ShadowRoot, cover: HTMLElement): void {
  if (control.matches('button, [type=submit], [type=reset]')) return;
  if (control instanceof HTMLInputElement) {
    control.checked = false;
    control.indeterminate = false;
  }
  // Chromium gives the element with the text a visibility of its own; its colour it inherits.
  control.style.setProperty('-webkit-text-fill-color', 'transparent', 'important');
  control.style.setProperty('text-shadow', 'none', 'important');
  const values = [...root.children, ...control.querySelectorAll('option, optgroup')] as HTMLElement[];
  for (const element of values) {
    if (element !== cover) element.style.setProperty('visibility', 'hidden', 'important');
  }
}
