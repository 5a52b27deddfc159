/** What every control has: name, label, state, looks. Part of the program `controls`. */
import type { Control, ControlBox, Sides, TextStyle } from '../form-field.ts';
import { isListBox } from './find-controls.ts';

/** All but what is known only once a link lies over it. */
export function describeControl(
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

export function formOf(control: Element): number {
  return [...document.forms].findIndex((form) => 'form' in control && control.form === form);
}

/** The texts of labels, without those of controls inside them. Asking each control would search the page each time. */
export function labelsOf(page: Document): Map<Element, string> {
  const labels = new Map<Element, string>();
  for (const label of page.querySelectorAll('label')) {
    if (label.control === null) continue;
    const text = label.cloneNode(true) as Element;
    for (const control of text.querySelectorAll('select, textarea, button, script, style')) control.remove();
    labels.set(label.control, `${labels.get(label.control) ?? ''} ${text.textContent}`);
  }
  return labels;
}

export function labelOf(control: Element, label = ''): string {
  const texts = [
    control.getAttribute('title'),
    control.getAttribute('aria-label'),
    label,
    control.getAttribute('placeholder'),
    control instanceof HTMLButtonElement ? control.textContent : null,
    control.matches('[type=submit], [type=reset]') ? (control as HTMLInputElement).value : null,
  ];
  const folded = texts.map((text) => (text ?? '').replace(/\s+/g, ' ').trim());
  return folded.find((text) => text !== '') ?? '';
}

export function sidesOf(style: CSSStyleDeclaration, before: string, after: string): Sides {
  const pixels = (side: string) =>
    Number.parseFloat(style.getPropertyValue(`${before}-${side}${after}`)) || 0;
  return { top: pixels('top'), right: pixels('right'), bottom: pixels('bottom'), left: pixels('left') };
}

export function styleOf(style: CSSStyleDeclaration): TextStyle {
  const { direction, textAlign } = style;
  const size = Number.parseFloat(style.fontSize);
  const end = direction === 'rtl' ? 'left' : 'right';
  const start = direction === 'rtl' ? 'right' : 'left';
  const align = { center: 'center', left: 'left', right: 'right', end }[textAlign.replace('-webkit-', '')];
  return {
    size,
    // "normal" is no number.
    lineHeight: Number.parseFloat(style.lineHeight) || size * 1.15,
    colour: colourOf(style.color),
    align: (align ?? start) as TextStyle['align'],
  };
}

/** Chromium keeps 4 pixels free beside the text of a select it draws itself, and says so nowhere. */
export function paddingOf(control: Element, style: CSSStyleDeclaration): Sides {
  const padding = sidesOf(style, 'padding', '');
  if (!(control instanceof HTMLSelectElement) || isListBox(control)) return padding;
  return style.appearance === 'none'
    ? padding
    : { ...padding, left: padding.left + 4, right: padding.right + 4 };
}

/** A colour may be written in any colour space; a canvas knows them all. */
export function colourOf(colour: string): TextStyle['colour'] {
  const plain = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(colour);
  if (plain) return [Number(plain[1]) / 255, Number(plain[2]) / 255, Number(plain[3]) / 255];
  const canvas = document.createElement('canvas').getContext('2d');
  if (canvas === null) return [0, 0, 0];
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return [red / 255, green / 255, blue / 255];
}
