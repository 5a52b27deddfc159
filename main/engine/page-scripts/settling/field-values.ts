/** Detects changes of the values of form fields, which no MutationObserver reports. Part of the page script `settling`. */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const names = ['input', 'textarea', 'select'] as const;

/** Maximum number of fields of each kind that are compared, to save time. */
const maxFields = 100;

/**
 * The values of the fields of the document, without those in shadow trees. Compares values, because replacing the setters of three
 * classes would take a third of a millisecond in every document.
 */
export class FieldValues {
  /** Live collections, so that comparing costs no time in a page without fields. */
  readonly #fields = names.map((name) => document.getElementsByTagName(name));
  #values = new Map<Field, string>();

  /** Returns a field whose value has changed since the last call; undefined if there is none, or at the first call. */
  takeChanged(): Field | undefined {
    const before = this.#values;
    this.#values = new Map();
    let changed: Field | undefined;
    for (const list of this.#fields)
      for (let index = 0; index < Math.min(list.length, maxFields); index += 1) {
        const field = list[index];
        if (field === undefined) continue;
        const value = valueOf(field);
        this.#values.set(field, value);
        if ((before.get(field) ?? value) !== value) changed = field;
      }
    return changed;
  }
}

function valueOf(field: Field): string {
  return field instanceof HTMLInputElement ? `${String(field.checked)} ${field.value}` : field.value;
}
