/** Adds interactive form fields (ISO 32000-1, 12.7) for HTML form controls, at the positions of the links that mark them. */
import {
  PDFBool,
  PDFDict,
  PDFName,
  PDFString,
  StandardFonts,
  PDFArray,
  PDFHexString,
  type PDFDocument,
  type PDFContext,
  type PDFRef,
} from '@cantoo/pdf-lib';
import type { FormField } from '../../../engine/page-scripts/controls/form-field.ts';
import { actionOf, radioGroupEntries, widgetEntries } from './entries.ts';
import { embedFieldFont } from './embedded-font.ts';
import { hasGlyphsFor, createFieldFont, type FieldFont } from './field-font.ts';
import { takeMarkers, type PlacedField } from './places.ts';

/**
 * Adds the fields, and returns them by their widgets. Skips controls without a marker on any page, because they were cut off or their
 * page was removed. `embedsFont`: whether the font of their text is embedded.
 */
export async function addFormFields(
  document: PDFDocument,
  fields: readonly FormField[],
  { embedsFont }: { readonly embedsFont: boolean },
): Promise<ReadonlyMap<PDFRef, FormField>> {
  const placed = takeMarkers(document, fields);
  const fieldsByWidget = new Map(placed.map(({ ref, field }) => [ref, field]));
  if (placed.length === 0) return fieldsByWidget;
  const pen = createFieldFont(document.embedStandardFont(StandardFonts.Helvetica));
  if (embedsFont && placed.some(({ field }) => shownTexts(field).length > 0))
    await embedFieldFont(document, pen.font);
  const tree = openFieldTree(document.context);
  for (const members of groupByField(placed)) addField(document, members, { pen, tree });
  for (const { field, ref } of placed) {
    if (field.kind !== 'button') continue;
    const action = actionOf(document.context, field, tree.ofForm(field.form));
    document.context.lookup(ref, PDFDict).set(PDFName.of('A'), action);
  }
  const form = document.context.obj({ Fields: tree.fields, DR: resources(document, pen) });
  form.set(PDFName.of('DA'), PDFString.of('/Helv 0 Tf 0 g'));
  // The font has no Greek, Cyrillic or Asian characters, so the viewer renders such values with its own fonts.
  const needsViewerFonts = placed.some(({ field }) =>
    shownTexts(field).some((text) => !hasGlyphsFor(pen, text)),
  );
  if (needsViewerFonts) form.set(PDFName.of('NeedAppearances'), PDFBool.True);
  document.catalog.set(PDFName.of('AcroForm'), document.context.register(form));
  return fieldsByWidget;
}

/** Groups controls by field: the radio buttons of a group form one field, and every other control is a separate field. */
function groupByField(placed: readonly PlacedField[]): Iterable<readonly [PlacedField, ...PlacedField[]]> {
  const members = new Map<string, [PlacedField, ...PlacedField[]]>();
  for (const field of placed) {
    const key = field.field.kind === 'radio' ? `group ${field.field.group}` : field.field.marker;
    const others = members.get(key);
    if (others === undefined) members.set(key, [field]);
    else others.push(field);
  }
  return members.values();
}

function addField(
  { context }: PDFDocument,
  members: readonly [PlacedField, ...PlacedField[]],
  { pen, tree }: { readonly pen: FieldFont; readonly tree: FieldTree },
): void {
  const [first] = members;
  const { field } = first;
  if (field.kind !== 'radio') {
    context.assign(first.ref, widgetEntries(context, first, pen));
    tree.add(first.ref, field);
    return;
  }
  const group = context.nextRef();
  context.assign(group, radioGroupEntries(context, members, group));
  tree.add(group, field);
}

function resources({ context }: PDFDocument, { font }: FieldFont): PDFDict {
  const signs = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'ZapfDingbats' });
  return context.obj({ Font: { Helv: font.ref, ZaDb: context.register(signs) } });
}

function shownTexts(field: FormField): readonly string[] {
  if (field.kind === 'text') return [field.value];
  return field.kind === 'choice' ? field.options.map(({ text }) => text) : [];
}

// Names of fields. A full stop separates parent and child (ISO 32000-1, 12.7.3.2): "address.city" is the field
// "city" below "address". Names must be unique, although HTML controls may share one.

interface FieldTree {
  /** The top-level fields. */
  readonly fields: PDFArray;
  readonly add: (ref: PDFRef, field: FormField) => void;
  /** Returns the fields of one HTML form, without buttons. */
  readonly ofForm: (form: number) => readonly PDFRef[];
}

function openFieldTree(context: PDFContext): FieldTree {
  const fields = context.obj([]);
  const usedNames = new Set<string>();
  const lastNumbers = new Map<string, number>();
  const parents = new Map<string, PDFRef>();
  const forms = new Map<number, PDFRef[]>();
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
    const existing = parents.get(key);
    if (existing !== undefined) return existing;
    const parent = context.register(context.obj({ Kids: [] }));
    name(parent, path.at(-1), parentOf(path.slice(0, -1)));
    parents.set(key, parent);
    return parent;
  };
  return {
    fields,
    add(ref, field) {
      const path = uniquePath(field, { usedNames, parents, lastNumbers });
      usedNames.add(path.join('.'));
      name(ref, path.at(-1), parentOf(path.slice(0, -1)));
      if (field.kind === 'button') return;
      const ofForm = forms.get(field.form);
      if (ofForm === undefined) forms.set(field.form, [ref]);
      else ofForm.push(ref);
    },
    ofForm: (form) => forms.get(form) ?? [],
  };
}

interface FieldNames {
  readonly usedNames: ReadonlySet<string>;
  readonly parents: ReadonlyMap<string, PDFRef>;
  /** The number of the last variant of each name, because thousands of fields may share one. */
  readonly lastNumbers: Map<string, number>;
}

/** More levels than any form has. */
const maxNameParts = 50;

/** Returns the parts of the field's name, split at full stops; those of a variant if the name is already used or not valid. */
function uniquePath(field: FormField, { usedNames, parents, lastNumbers }: FieldNames): readonly string[] {
  const requested = field.name.trim() || field.kind;
  const parts = requested.split('.');
  const isInvalid =
    parts.includes('') ||
    parts.length > maxNameParts ||
    parts.some((_, index) => usedNames.has(parts.slice(0, index).join('.')));
  const name = isInvalid ? requested.replaceAll('.', '_') : requested;
  for (let number = (lastNumbers.get(name) ?? 0) + 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (usedNames.has(candidate) || parents.has(candidate)) continue;
    lastNumbers.set(name, number);
    return candidate.split('.');
  }
}
