/** What kind of field a control becomes, with its values. Part of the program `controls`. */
import type { ChoiceField, ChoiceOption, Control, PushButton } from '../form-field.ts';
import { formOf } from './describe-control.ts';
import { isListBox } from './find-controls.ts';

/** Undefined when it becomes no field: a button without a form to submit or reset. */
export function kindOf(control: Element, groups: Map<string, string>): object | undefined {
  if (control instanceof HTMLTextAreaElement) {
    const longest = control.maxLength >= 0 ? { longest: control.maxLength } : {};
    return { kind: 'text', value: control.value, multiline: true, password: false, ...longest };
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
  const longest = control.maxLength >= 0 ? { longest: control.maxLength } : {};
  return { kind: 'text', value: password ? '' : value, multiline: false, password, ...longest };
}

export function optionsOf(control: HTMLSelectElement): Omit<ChoiceField, keyof Control> {
  const options: ChoiceOption[] = [...control.options].map(({ value, text, label, selected }) => ({
    value,
    text: text === '' ? label : text,
    chosen: selected,
  }));
  return { kind: 'choice', list: isListBox(control), multiple: control.multiple, options };
}

export function submitOf(
  button: HTMLButtonElement | HTMLInputElement,
): Pick<PushButton, 'kind' | 'submit'> | undefined {
  const { form, type } = button;
  if (form === null) return undefined;
  if (type === 'reset') return { kind: 'button' };
  // A control named "action" hides the form's own.
  const action = button.getAttribute('formaction') ?? form.getAttribute('action') ?? '';
  const method = button.getAttribute('formmethod') ?? form.getAttribute('method') ?? 'get';
  const { href, protocol } = new URL(action, document.baseURI);
  if (type !== 'submit' || !/^https?:$/.test(protocol)) return undefined;
  return { kind: 'button', submit: { url: href, get: !/^post$/i.test(method) } };
}
