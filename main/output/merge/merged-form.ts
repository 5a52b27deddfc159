/** The form of a merged document (ISO 32000-1, 12.7), in which the fields of each document have a common parent. */
import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFName,
  PDFRef,
  PDFString,
  type PDFContext,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { dictOfEntries } from './merged-structure.ts';
import type { DocumentCopy } from './object-writer.ts';

export class MergedForm {
  readonly #context: PDFContext;
  readonly #groups: PDFObject[] = [];
  /** The default resources, such as fonts, by category and name. If documents use a name for different fonts, the first is kept. */
  readonly #resources = new Map<PDFName, Map<PDFName, PDFObject>>();
  #appearance: PDFObject | undefined;
  #needsAppearances = false;

  constructor(context: PDFContext) {
    this.#context = context;
  }

  /**
   * Puts the fields of a document below a new field, whose name makes the full names of all fields differ: `document1.name`.
   * Returns its reference; undefined for a document without fields.
   */
  groupFields({ catalog, context }: PDFDocument, number: number): PDFRef | undefined {
    const form = catalog.lookup(PDFName.of('AcroForm'));
    const fields = form instanceof PDFDict ? form.lookup(PDFName.of('Fields')) : undefined;
    if (!(fields instanceof PDFArray) || fields.size() === 0) return undefined;
    const group = context.obj({ T: PDFString.of(`document${number}`), Kids: fields });
    const ref = context.register(group);
    fields.asArray().forEach((_, index) => {
      const field = fields.lookup(index);
      if (field instanceof PDFDict) field.set(PDFName.of('Parent'), ref);
    });
    return ref;
  }

  add({ catalog }: PDFDocument, group: PDFRef | undefined, copy: DocumentCopy): void {
    const form = catalog.lookup(PDFName.of('AcroForm'));
    if (group === undefined || !(form instanceof PDFDict)) return;
    this.#groups.push(copy.copy(group));
    this.#appearance ??= form.lookup(PDFName.of('DA'));
    if (form.lookup(PDFName.of('NeedAppearances')) === PDFBool.True) this.#needsAppearances = true;
    const resources = form.lookup(PDFName.of('DR'));
    if (!(resources instanceof PDFDict)) return;
    for (const category of resources.keys()) {
      const entries = resources.lookup(category);
      if (entries instanceof PDFDict) this.#addResources(category, entries, copy);
    }
  }

  #addResources(category: PDFName, entries: PDFDict, copy: DocumentCopy): void {
    const kept = this.#resources.get(category) ?? new Map<PDFName, PDFObject>();
    this.#resources.set(category, kept);
    for (const [name, value] of entries.entries()) {
      if (kept.has(name)) continue;
      kept.set(name, copy.copy(value instanceof PDFRef ? value : entries.context.register(value)));
    }
  }

  /** Returns the entries for the catalogue. */
  end(): Readonly<Record<string, PDFObject>> {
    if (this.#groups.length === 0) return {};
    const context = this.#context;
    const form = context.obj({ Fields: this.#groups });
    const categories = [...this.#resources].map(
      ([category, entries]) => [category, dictOfEntries(context, entries)] as const,
    );
    form.set(PDFName.of('DR'), dictOfEntries(context, new Map(categories)));
    if (this.#appearance !== undefined) form.set(PDFName.of('DA'), this.#appearance);
    if (this.#needsAppearances) form.set(PDFName.of('NeedAppearances'), PDFBool.True);
    return { AcroForm: form };
  }
}
