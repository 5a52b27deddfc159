/** Makes the controls of HTML forms fields of an interactive form (ISO 32000-1, 12.7), where their markers are. */
import { PDFBool, PDFDict, type PDFDocument, PDFName, PDFString, StandardFonts } from '@cantoo/pdf-lib';
import type { FormField } from '../../../engine/form-field.ts';
import { actionOf, radioGroupEntries, widgetEntries } from './entries.ts';
import { openFieldTree, type FieldTree } from './field-tree.ts';
import { isWritable, openPen, type Pen } from './pen.ts';
import { takeMarkers, type Placed } from './places.ts';

/** A control whose marker is on no page (it was cut off, or its page left out) becomes no field. */
export function addFormFields(document: PDFDocument, fields: readonly FormField[]): void {
  const placed = takeMarkers(document, fields);
  if (placed.length === 0) return;
  const pen = openPen(document.embedStandardFont(StandardFonts.Helvetica));
  const tree = openFieldTree(document.context);
  for (const members of fieldsOf(placed)) addField(document, members, { pen, tree });
  for (const { field, ref } of placed) {
    if (field.kind !== 'button') continue;
    const action = actionOf(document.context, field, tree.ofForm(field.form));
    document.context.lookup(ref, PDFDict).set(PDFName.of('A'), action);
  }
  const form = document.context.obj({ Fields: tree.fields, DR: resources(document, pen) });
  form.set(PDFName.of('DA'), PDFString.of('/Helv 0 Tf 0 g'));
  // Helvetica has no Greek, no Cyrillic, nothing of Asia: such values are left to the viewer and its fonts.
  const foreign = placed.some(({ field }) => shownTexts(field).some((text) => !isWritable(pen, text)));
  if (foreign) form.set(PDFName.of('NeedAppearances'), PDFBool.True);
  document.catalog.set(PDFName.of('AcroForm'), document.context.register(form));
}

/** The radio buttons of a group are one field, everything else is one each. */
function fieldsOf(placed: readonly Placed[]): Iterable<readonly [Placed, ...Placed[]]> {
  const members = new Map<string, [Placed, ...Placed[]]>();
  for (const one of placed) {
    const key = one.field.kind === 'radio' ? `group ${one.field.group}` : one.field.marker;
    const others = members.get(key);
    if (others === undefined) members.set(key, [one]);
    else others.push(one);
  }
  return members.values();
}

function addField(
  { context }: PDFDocument,
  members: readonly [Placed, ...Placed[]],
  { pen, tree }: { readonly pen: Pen; readonly tree: FieldTree },
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

function resources({ context }: PDFDocument, { font }: Pen): PDFDict {
  const signs = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'ZapfDingbats' });
  return context.obj({ Font: { Helv: font.ref, ZaDb: context.register(signs) } });
}

function shownTexts(field: FormField): readonly string[] {
  if (field.kind === 'text') return [field.value];
  return field.kind === 'choice' ? field.options.map(({ text }) => text) : [];
}
