/** Implements enable_pdf_forms inside a page: describes the form controls, and marks their positions with links. */
import type {
  FormField,
  ChoiceField,
  ChoiceOption,
  Control,
  PushButton,
  ControlBox,
  Sides,
  TextStyle,
} from './form-field.ts';
import { descriptionSize } from '../description-size.ts';
import { findControls, hostOf, isListBox } from './find-controls.ts';

/** The controls of a page. Stays inside the page, because it contains elements. */
export interface FoundControls {
  /** For each control, the element that can contain its cover. */
  readonly hosts: readonly (Element | undefined)[];
  /** For each host, the approximate number of characters in the DevTools protocol's description of it and its children. */
  readonly sizes: readonly number[];
  /**
   * Covers the controls, and returns their fields; `too large` if they are longer than `maxFieldCharacters` as JSON.
   * @param roots As in coverControls. @param prefix The start of the links' addresses.
   */
  readonly cover: (roots: (Element | ShadowRoot | null)[], prefix: string) => FormField[] | 'too large';
}

const maxFieldCharacters = 8_000_000;

export function openControls(): FoundControls {
  const controls = findControls();
  const hosts = controls.map(hostOf);
  return {
    hosts,
    sizes: hosts.map((host) => (host === undefined ? 0 : descriptionSize(host))),
    cover(roots, prefix) {
      const fields = coverControls(controls, roots, prefix);
      return JSON.stringify(fields).length > maxFieldCharacters ? 'too large' : fields;
    },
  };
}

// Covers controls with links, whose positions can be found in the printed PDF, and hides the values of the controls.

/**
 * Covers the controls with links and returns their fields. Reads everything before changing anything, so that Chromium computes two
 * layouts instead of one for each control.
 * @param roots The shadow root or element of each control that can contain a cover; null if there is none.
 * @param prefix The start of the links' addresses, which end with the index of the control.
 */
function coverControls(
  controls: Element[],
  roots: (Element | ShadowRoot | null)[],
  prefix: string,
): FormField[] {
  const groups = new Map<string, string>();
  const labels = labelsOf(document);
  const fieldControls = controls.flatMap((element, index) => {
    const control = element as HTMLElement;
    const root = roots[index];
    const kind = kindOf(control, groups);
    if (!kind || !root) return [];
    const { position, width, height } = getComputedStyle(control);
    const scrolled = control.scrollTop > 0 || control.scrollLeft > 0;
    const field = { ...describeControl(control, labels), ...kind, marker: `${prefix}${index}` };
    return [{ control, root, field, layout: { position, width, height, scrolled } }];
  });
  for (const { control, layout } of fieldControls) fixLayout(control, layout);
  const covered = fieldControls.map((entry) => ({
    ...entry,
    cover: coverWith(entry.field.marker, entry.control, entry.root),
  }));
  const measured = covered.map((entry) => {
    const { width, height } = getComputedStyle(entry.cover);
    return { ...entry, width: Number.parseFloat(width) || 0, height: Number.parseFloat(height) || 0 };
  });
  return measured.flatMap(({ control, root, cover, field, width, height }) => {
    // A control that Chromium does not display has no position. It keeps its value and gets no field.
    if (width <= 0 || height <= 0) {
      cover.remove();
      return [];
    }
    hideValue(control, root, cover);
    return [{ ...field, box: { ...field.box, width, height } } as FormField];
  });
}

/** Makes the control the containing block of its cover, and fixes the size of text areas and list boxes. */
function fixLayout(
  control: HTMLElement,
  layout: { position: string; width: string; height: string; scrolled: boolean },
): void {
  const setImportant = (name: string, value: string) => {
    control.style.setProperty(name, value, 'important');
  };
  setImportant('transition', 'none');
  if (layout.position === 'static') setImportant('position', 'relative');
  if (!isListBox(control) && !(control instanceof HTMLTextAreaElement)) return;
  // Scroll bars are not printed, and without them the control would become narrower.
  setImportant('width', layout.width);
  setImportant('height', layout.height);
  setImportant('overflow', 'hidden');
  setImportant('resize', 'none');
  if (layout.scrolled) control.scrollTo(0, 0);
}

function coverWith(marker: string, control: HTMLElement, root: Element | ShadowRoot): HTMLElement {
  const cover = document.createElement('a');
  cover.href = marker;
  // In a button, the page's CSS rules apply to the cover, so its styles are reset. Other covers are not reset, because each reset
  // sets four hundred declarations.
  const reset = root === control ? 'all: initial; ' : '';
  cover.style.cssText = `${reset}display: block; visibility: visible; position: absolute; inset: 0`;
  // Inside a select, Chromium displays only the element that contains the text.
  const parent = control instanceof HTMLSelectElement ? (root.querySelector('div') ?? root) : root;
  parent.append(cover);
  return cover;
}

/** Hides the value of a control, and the icons of date and number inputs, which do not work in a PDF. A button keeps its text. */
function hideValue(control: HTMLElement, root: Element | ShadowRoot, cover: HTMLElement): void {
  if (control.matches('button, [type=submit], [type=reset]')) return;
  if (control instanceof HTMLInputElement) {
    control.checked = false;
    control.indeterminate = false;
  }
  // Chromium itself sets the visibility of the inner element with the text, so a transparent colour, which is inherited, hides it.
  control.style.setProperty('-webkit-text-fill-color', 'transparent', 'important');
  control.style.setProperty('text-shadow', 'none', 'important');
  const values = [...root.children, ...control.querySelectorAll('option, optgroup')] as HTMLElement[];
  for (const element of values) {
    if (element !== cover) element.style.setProperty('visibility', 'hidden', 'important');
  }
}

// Determines the kind and values of the field for a control.

/**
 * Returns the kind and the values of the field. Returns undefined for a control without a field, such as a button that neither
 * submits nor resets a form. `groups` maps groups of radio buttons to their ids; new groups are added.
 */
function kindOf(control: Element, groups: Map<string, string>): object | undefined {
  if (control instanceof HTMLTextAreaElement) {
    const limit = control.maxLength >= 0 ? { maxLength: control.maxLength } : {};
    return { kind: 'text', value: control.value, multiline: true, password: false, ...limit };
  }
  if (control instanceof HTMLSelectElement) return optionsOf(control);
  if (control instanceof HTMLButtonElement) return submitOf(control);
  if (!(control instanceof HTMLInputElement)) return undefined;
  const { type, value, checked: on } = control;
  if (type === 'submit' || type === 'reset') return submitOf(control);
  if (type === 'checkbox') return { kind: 'checkbox', value, on };
  if (type === 'radio') {
    const key = control.name === '' ? `alone ${groups.size}` : `${formOf(control)} ${control.name}`;
    const group = groups.get(key) ?? String(groups.size);
    groups.set(key, group);
    return { kind: 'radio', group, value, on };
  }
  const password = type === 'password';
  const limit = control.maxLength >= 0 ? { maxLength: control.maxLength } : {};
  return { kind: 'text', value: password ? '' : value, multiline: false, password, ...limit };
}

function optionsOf(control: HTMLSelectElement): Omit<ChoiceField, keyof Control> {
  const options: ChoiceOption[] = [...control.options].map(({ value, text, label, selected }) => ({
    value,
    text: text === '' ? label : text,
    isSelected: selected,
  }));
  return { kind: 'choice', isListBox: isListBox(control), multiple: control.multiple, options };
}

function submitOf(
  button: HTMLButtonElement | HTMLInputElement,
): Pick<PushButton, 'kind' | 'submit'> | undefined {
  const { form, type } = button;
  if (form === null) return undefined;
  if (type === 'reset') return { kind: 'button' };
  // A control named "action" shadows the `action` property of the form.
  const action = button.getAttribute('formaction') ?? form.getAttribute('action') ?? '';
  const method = button.getAttribute('formmethod') ?? form.getAttribute('method') ?? 'get';
  const { href, protocol } = new URL(action, document.baseURI);
  if (type !== 'submit' || !/^https?:$/.test(protocol)) return undefined;
  return { kind: 'button', submit: { url: href, isGet: !/^post$/i.test(method) } };
}

// Describes a control: name, label, state, appearance.

/** Returns the properties of a control that are known before a link covers it. */
function describeControl(
  control: Element,
  labels: ReadonlyMap<Element, string>,
): Omit<Control, 'marker' | 'box'> & { box: Omit<ControlBox, 'width' | 'height'> } {
  const style = getComputedStyle(control);
  return {
    name: control.getAttribute('name') ?? control.id,
    label: labelOf(control, labels.get(control)),
    form: formOf(control),
    readOnly: control.matches('[readonly]'),
    required: control.matches(':required'),
    disabled: control.matches(':disabled'),
    box: {
      border: sidesOf(style, 'border', '-width'),
      padding: paddingOf(control, style),
    },
    text: styleOf(style),
  };
}

function formOf(control: Element): number {
  return [...document.forms].findIndex((form) => 'form' in control && control.form === form);
}

/**
 * Returns the label text of each control, without the text of controls inside the label. Reading the `labels` property of each
 * control would search the page each time.
 */
function labelsOf(page: Document): Map<Element, string> {
  const labels = new Map<Element, string>();
  for (const label of page.querySelectorAll('label')) {
    if (label.control === null) continue;
    const text = label.cloneNode(true) as Element;
    for (const control of text.querySelectorAll('select, textarea, button, script, style')) control.remove();
    labels.set(label.control, `${labels.get(label.control) ?? ''} ${text.textContent}`);
  }
  return labels;
}

function labelOf(control: Element, label = ''): string {
  const texts = [
    control.getAttribute('title'),
    control.getAttribute('aria-label'),
    label,
    control.getAttribute('placeholder'),
    control instanceof HTMLButtonElement ? control.textContent : null,
    control.matches('[type=submit], [type=reset]') ? (control as HTMLInputElement).value : null,
  ];
  const cleaned = texts.map((text) => (text ?? '').replace(/\s+/g, ' ').trim());
  return cleaned.find((text) => text !== '') ?? '';
}

function sidesOf(style: CSSStyleDeclaration, before: string, after: string): Sides {
  const pixels = (side: string) =>
    Number.parseFloat(style.getPropertyValue(`${before}-${side}${after}`)) || 0;
  return { top: pixels('top'), right: pixels('right'), bottom: pixels('bottom'), left: pixels('left') };
}

function styleOf(style: CSSStyleDeclaration): TextStyle {
  const { direction, textAlign } = style;
  const size = Number.parseFloat(style.fontSize);
  const end = direction === 'rtl' ? 'left' : 'right';
  const start = direction === 'rtl' ? 'right' : 'left';
  const align = { center: 'center', left: 'left', right: 'right', end }[textAlign.replace('-webkit-', '')];
  return {
    size,
    // The line height may be `normal`, which is not a number.
    lineHeight: Number.parseFloat(style.lineHeight) || size * 1.15,
    colour: colourOf(style.color),
    align: (align ?? start) as TextStyle['align'],
  };
}

/**
 * Returns the padding in CSS pixels. If Chromium draws a drop-down list itself, it reserves 4 more pixels on both sides of the
 * text, which computed styles do not include.
 */
function paddingOf(control: Element, style: CSSStyleDeclaration): Sides {
  const padding = sidesOf(style, 'padding', '');
  if (!(control instanceof HTMLSelectElement) || isListBox(control)) return padding;
  return style.appearance === 'none'
    ? padding
    : { ...padding, left: padding.left + 4, right: padding.right + 4 };
}

/** Returns the RGB components of a colour, from 0 to 1. A canvas converts colours of other colour spaces. */
function colourOf(colour: string): TextStyle['colour'] {
  const plain = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(colour);
  if (plain) return [Number(plain[1]) / 255, Number(plain[2]) / 255, Number(plain[3]) / 255];
  const canvas = document.createElement('canvas').getContext('2d');
  if (canvas === null) return [0, 0, 0];
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return [red / 255, green / 255, blue / 255];
}
