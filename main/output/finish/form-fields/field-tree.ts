/**
 * The names of fields. A full stop in a name makes it that of a child (ISO 32000-1, 12.7.3.2): "address.city" is the field
 * "city" below "address". Names are unique, though controls of a page may share one.
 */
import { PDFArray, type PDFContext, PDFDict, PDFHexString, PDFName, type PDFRef } from '@cantoo/pdf-lib';
import type { FormField } from '../../../engine/form-field.ts';

export interface FieldTree {
  /** The roots. */
  readonly fields: PDFArray;
  readonly add: (ref: PDFRef, field: FormField) => void;
  /** The fields of one form of the page, buttons left out. */
  readonly ofForm: (form: number) => readonly PDFRef[];
}

export function openFieldTree(context: PDFContext): FieldTree {
  const fields = context.obj([]);
  const [taken, parents, forms] = [new Set<string>(), new Map<string, PDFRef>(), new Map<number, PDFRef[]>()];
  const name = (ref: PDFRef, partial: string | undefined, parent: PDFRef | undefined) => {
    const dict = context.lookup(ref, PDFDict);
    dict.set(PDFName.of('T'), PDFHexString.fromText(partial ?? ''));
    if (parent !== undefined) dict.set(PDFName.of('Parent'), parent);
    const siblings = parent && context.lookup(parent, PDFDict).lookup(PDFName.of('Kids'), PDFArray);
    (siblings ?? fields).push(ref);
  };
  const parentOf = (path: readonly string[]): PDFRef | undefined => {
    if (path.length === 0) return undefined;
    const key = path.join('.');
    const known = parents.get(key);
    if (known !== undefined) return known;
    const made = context.register(context.obj({ Kids: [] }));
    name(made, path.at(-1), parentOf(path.slice(0, -1)));
    parents.set(key, made);
    return made;
  };
  return {
    fields,
    add(ref, field) {
      const path = freePath(field, taken, parents);
      taken.add(path.join('.'));
      name(ref, path.at(-1), parentOf(path.slice(0, -1)));
      if (field.kind !== 'button') forms.set(field.form, [...(forms.get(field.form) ?? []), ref]);
    },
    ofForm: (form) => forms.get(form) ?? [],
  };
}

/** The name, or the nearest one that is free. */
function freePath(
  field: FormField,
  taken: ReadonlySet<string>,
  parents: ReadonlyMap<string, PDFRef>,
): readonly string[] {
  const wanted = field.name.trim() || field.kind;
  const parts = wanted.split('.');
  const above = parts.map((_, index) => parts.slice(0, index).join('.'));
  const broken = parts.includes('') || above.some((path) => taken.has(path));
  const name = broken ? wanted.replaceAll('.', '_') : wanted;
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(free) && !parents.has(free)) return free.split('.');
  }
}
