/** Connects annotations with the structure tree (ISO 14289-1, 7.18). */
import {
  PDFDict,
  PDFHexString,
  PDFName,
  PDFRef,
  type PDFDocument,
  type PDFObject,
  type PDFPage,
} from '@cantoo/pdf-lib';
import type { FormField } from '../../../../engine/page-scripts/controls/form-field.ts';
import { shortened } from '../../../../failure/failure.ts';
import { textIn } from '../../pdf-document.ts';
import type { HtmlNodes } from './html-nodes.ts';
import type { Nonconformity } from '../nonconformity.ts';
import { StructureElement, type StructureKid, type StructuredObject } from './structure-tree.ts';
import type { TreePlaces } from './tree-places.ts';
import { genericTypes } from './structure-kids.ts';

/** The structure types of the elements that contain annotations, by the subtype of the annotation. */
const typesBySubtype: Readonly<Record<string, string>> = { Link: 'Link', Widget: 'Form' };

interface TaggedDocument {
  readonly root: StructureElement;
  readonly html: HtmlNodes;
  readonly places: TreePlaces;
  /** The form fields, by their widgets. */
  readonly fields: ReadonlyMap<PDFRef, FormField>;
}

/**
 * Gives each link and each form field an element of its type, and each link a text. Links of headers and footers, which are not in the
 * tree, follow at its end. Returns the form fields without a label.
 */
export function tagAnnotations(
  document: PDFDocument,
  { root, html, places, fields }: TaggedDocument,
): Nonconformity[] {
  const owners = ownersOfObjects(root);
  const present = new Set<PDFRef>();
  const found: Nonconformity[] = [];
  document.getPages().forEach((page, index) => {
    for (const { ref, dict } of registeredAnnotations(page)) {
      present.add(ref);
      page.node.set(PDFName.of('Tabs'), PDFName.of('S'));
      const subtype = dict.get(PDFName.of('Subtype'));
      const type = subtype instanceof PDFName ? typesBySubtype[subtype.decodeText()] : undefined;
      if (type === undefined) continue;
      const node = fields.get(ref)?.node;
      const annotation = { page: page.ref, object: ref };
      const owner = owners.get(ref);
      const element =
        owner === undefined && node !== undefined
          ? fieldElement(annotation, { node, root, places })
          : elementFor(annotation, { type, owner, root });
      if (type === 'Link') describeLink(dict, html.of(element)?.label);
      else if (textIn(dict, 'TU') === '')
        found.push({ page: index + 1, reason: `${nameOfField(dict)} has no label; add a label element` });
      // The label of a radio button is not that of its field, which is the group.
      else if (parentOf(dict) !== undefined) element.describe(textIn(dict, 'TU'));
    }
  });
  for (const element of root.descendants())
    element.kids = element.kids.filter((kid) => !isObject(kid) || present.has(kid.object));
  return found;
}

function isObject(kid: StructureKid): kid is StructuredObject {
  return !(kid instanceof StructureElement) && 'object' in kid;
}

function ownersOfObjects(root: StructureElement): Map<PDFRef, StructureElement> {
  const owners = new Map<PDFRef, StructureElement>();
  for (const element of root.descendants())
    for (const kid of element.kids) if (isObject(kid)) owners.set(kid.object, element);
  return owners;
}

interface FieldPlace {
  readonly node: number;
  readonly root: StructureElement;
  readonly places: TreePlaces;
}

/** Returns the element of a form field, at the place of its control. */
function fieldElement(annotation: StructuredObject, { node, root, places }: FieldPlace): StructureElement {
  const element = StructureElement.create(root.dict.context, 'Form', [annotation]);
  const existing = places.elementOf(node);
  // The label of the field says what its printed text says.
  if (existing !== undefined) existing.kids = [element];
  else places.insertOrAppend(element, node);
  return element;
}

interface AnnotationPlace {
  readonly type: string;
  /** The element that contains the annotation; undefined if none does. */
  readonly owner: StructureElement | undefined;
  readonly root: StructureElement;
}

/** Returns an element of the type that contains the annotation. Adds one if necessary. */
function elementFor(annotation: StructuredObject, { type, owner, root }: AnnotationPlace): StructureElement {
  if (owner?.type === type) return owner;
  if (owner !== undefined && genericTypes.has(owner.type)) {
    owner.type = type;
    return owner;
  }
  const element = StructureElement.create(root.dict.context, type, [annotation]);
  const at = owner?.kids.findIndex((kid) => isObject(kid) && kid.object === annotation.object) ?? -1;
  if (owner === undefined || at === -1) (owner ?? root).kids.push(element);
  else owner.kids[at] = element;
  return element;
}

/** Returns the annotations of a page. Registers those that stand in the list itself, because elements refer to objects. */
function registeredAnnotations({ node, doc }: PDFPage): { readonly ref: PDFRef; readonly dict: PDFDict }[] {
  const list = node.Annots();
  return (list?.asArray() ?? []).flatMap((entry, index) => {
    const dict = doc.context.lookup(entry);
    if (!(dict instanceof PDFDict)) return [];
    const ref = entry instanceof PDFRef ? entry : doc.context.register(dict);
    list?.set(index, ref);
    return [{ ref, dict }];
  });
}

/** Sets the text of a link: that of its content, or else its address. */
function describeLink(link: PDFDict, label: string | undefined): void {
  if (textIn(link, 'Contents') !== '') return;
  const action = link.lookup(PDFName.of('A'));
  const address = action instanceof PDFDict ? textIn(action, 'URI') : '';
  const text = [label, address, 'Link'].find((candidate) => candidate !== undefined && candidate !== '');
  link.set(PDFName.of('Contents'), PDFHexString.fromText(text ?? ''));
}

function nameOfField(widget: PDFDict): string {
  const name = textIn(widget, 'T') || textIn(parentOf(widget), 'T');
  return name === '' ? 'a form field' : `the form field ${shortened(name)}`;
}

function parentOf(widget: PDFDict): PDFDict | undefined {
  const parent: PDFObject | undefined = widget.lookup(PDFName.of('Parent'));
  return parent instanceof PDFDict ? parent : undefined;
}
