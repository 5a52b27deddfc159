/** Lays links over controls and takes their values out of the print. These functions run in the page. */
import type { FormField } from '../form-field.ts';
import { describeControl } from './describe-control.ts';
import { kindOf } from './control-kind.ts';
import { isListBox } from './find-controls.ts';

/** All is read before anything is changed, so that the page is laid out twice and not once for each control. */
export function coverControls(
  controls: Element[],
  roots: (Element | ShadowRoot | null)[],
  prefix: string,
): FormField[] {
  const groups = new Map<string, string>();
  const wanted = controls.flatMap((element, index) => {
    const control = element as HTMLElement;
    const [kind, root] = [kindOf(control, groups), roots[index]];
    return kind && root ? [{ control, root, field: { ...describeControl(control), ...kind } }] : [];
  });
  const covered = wanted.map(({ control, root, field }, index) => {
    const marker = `${prefix}${index}`;
    return { control, root, cover: coverWith(marker, control, root), field: { ...field, marker } };
  });
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

export function coverWith(marker: string, control: HTMLElement, root: Element | ShadowRoot): HTMLElement {
  const style = getComputedStyle(control);
  const { position, width, height } = style;
  const set = (name: string, value: string) => {
    control.style.setProperty(name, value, 'important');
  };
  set('transition', 'none');
  if (position === 'static') set('position', 'relative');
  if (isListBox(control) || control instanceof HTMLTextAreaElement) {
    // Nobody scrolls paper, and without its bars it would become narrower.
    set('width', width);
    set('height', height);
    set('overflow', 'hidden');
    set('resize', 'none');
    control.scrollTo(0, 0);
  }
  const cover = document.createElement('a');
  cover.href = marker;
  cover.style.cssText = 'all: initial; position: absolute; inset: 0';
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
