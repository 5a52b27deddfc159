/** The structure tree of a merged document (ISO 32000-1, 14.7), in which each document is one element. */
import {
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFRef,
  type PDFContext,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import type { DocumentCopy, MergedRef, ObjectWriter } from './object-writer.ts';
import type { SeparatedNames } from './separate-names.ts';

export class MergedStructure {
  readonly #context: PDFContext;
  readonly #writer: ObjectWriter;
  /** The root; undefined until a document has structure. */
  #ref: MergedRef | undefined;
  readonly #elements: PDFObject[] = [];
  readonly #ids: PDFObject[] = [];
  readonly #parents: PDFObject[] = [];
  /** The role map. If documents map a type differently, the first mapping is kept. */
  readonly #roles = new Map<PDFName, PDFObject>();
  #nextParent = 0;
  #areAllTagged = true;

  constructor(context: PDFContext, writer: ObjectWriter) {
    this.#context = context;
    this.#writer = writer;
  }

  /** The first number that the next document may use in the parent tree. */
  get nextParent(): number {
    return this.#nextParent;
  }

  /**
   * Turns the root of the document's tree into an element, so that the elements below keep their parent. Returns its reference;
   * undefined for a document without structure.
   */
  takeRoot({ catalog, context }: PDFDocument, title: string): PDFRef | undefined {
    const marks = catalog.lookup(PDFName.of('MarkInfo'));
    if (!(marks instanceof PDFDict && marks.lookup(PDFName.of('Marked')) === PDFBool.True))
      this.#areAllTagged = false;
    const root = catalog.lookup(PDFName.of('StructTreeRoot'));
    if (!(root instanceof PDFDict)) return undefined;
    this.#ref ??= this.#writer.reserve();
    const roles = root.lookup(PDFName.of('RoleMap'));
    for (const [role, type] of roles instanceof PDFDict ? roles.entries() : [])
      if (!this.#roles.has(role) && !(type instanceof PDFRef)) this.#roles.set(role, type);
    const ref = catalog.get(PDFName.of('StructTreeRoot'));
    const language = catalog.lookup(PDFName.of('Lang'));
    const kids = root.get(PDFName.of('K'));
    for (const key of root.keys()) root.delete(key);
    root.set(PDFName.of('Type'), PDFName.of('StructElem'));
    root.set(PDFName.of('S'), PDFName.of('Part'));
    root.set(PDFName.of('P'), this.#ref);
    root.set(PDFName.of('T'), PDFHexString.fromText(title));
    if (language !== undefined) root.set(PDFName.of('Lang'), language);
    if (kids !== undefined) root.set(PDFName.of('K'), kids);
    return ref instanceof PDFRef ? ref : context.register(root);
  }

  add(root: PDFRef | undefined, names: SeparatedNames, copy: DocumentCopy): void {
    this.#nextParent = names.nextParent;
    if (root === undefined) return;
    this.#elements.push(copy.copy(root));
    if (names.ids !== undefined) this.#ids.push(copy.copy(names.ids));
    if (names.parents !== undefined) this.#parents.push(copy.copy(names.parents));
  }

  /** Writes the root of the tree. Returns the entries for the catalogue. */
  end(): Readonly<Record<string, PDFObject>> {
    const context = this.#context;
    const writer = this.#writer;
    if (this.#ref === undefined) return {};
    const root = context.obj({ Type: 'StructTreeRoot', K: this.#elements });
    if (this.#ids.length > 0) root.set(PDFName.of('IDTree'), writer.add(context.obj({ Kids: this.#ids })));
    root.set(PDFName.of('ParentTree'), writer.add(context.obj({ Kids: this.#parents })));
    root.set(PDFName.of('ParentTreeNextKey'), context.obj(this.#nextParent));
    if (this.#roles.size > 0) root.set(PDFName.of('RoleMap'), dictOfEntries(context, this.#roles));
    writer.write(this.#ref, root);
    return {
      StructTreeRoot: this.#ref,
      ...(this.#areAllTagged && { MarkInfo: context.obj({ Marked: true }) }),
    };
  }
}

export function dictOfEntries(context: PDFContext, entries: ReadonlyMap<PDFName, PDFObject>): PDFDict {
  const dict = context.obj({});
  for (const [key, value] of entries) dict.set(key, value);
  return dict;
}
