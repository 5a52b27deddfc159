/** Reads, changes and writes the structure tree of a document (ISO 32000-1, 14.7). */
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRef,
  PDFStream,
  PDFString,
  type PDFContext,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { dictsIn } from '../../pdf-document.ts';
import { createNameTree } from '../../select/pdf-tree.ts';

/** A marked-content sequence on a page, by its number (MCID). */
export interface MarkedContent {
  readonly page: PDFRef;
  readonly number: number;
}

/** An annotation on a page. */
export interface StructuredObject {
  readonly page: PDFRef;
  readonly object: PDFRef;
}

export type StructureKid = StructureElement | MarkedContent | StructuredObject;

export class StructureElement {
  readonly ref: PDFRef;
  readonly dict: PDFDict;
  kids: StructureKid[] = [];

  private constructor(ref: PDFRef, dict: PDFDict) {
    this.ref = ref;
    this.dict = dict;
  }

  static existing(ref: PDFRef, dict: PDFDict): StructureElement {
    return new StructureElement(ref, dict);
  }

  static create(context: PDFContext, type: string, kids: StructureKid[] = []): StructureElement {
    const dict = context.obj({ Type: 'StructElem', S: type });
    const element = new StructureElement(context.register(dict), dict);
    element.kids = kids;
    return element;
  }

  /** Creates an element for a DOM node. */
  static createFor(context: PDFContext, type: string, node: number): StructureElement {
    const element = StructureElement.create(context, type);
    element.dict.set(PDFName.of('ID'), PDFString.of(`node${String(node).padStart(8, '0')}`));
    return element;
  }

  /** A structure type, such as `P` (14.8.4). */
  get type(): string {
    const type = this.dict.get(PDFName.of('S'));
    return type instanceof PDFName ? type.decodeText() : '';
  }

  set type(type: string) {
    this.dict.set(PDFName.of('S'), PDFName.of(type));
  }

  get alternativeText(): string | undefined {
    const text = this.dict.lookup(PDFName.of('Alt'));
    return text instanceof PDFString || text instanceof PDFHexString ? text.decodeText() : undefined;
  }

  /** Sets the alternative text. */
  describe(text: string): void {
    this.dict.set(PDFName.of('Alt'), PDFHexString.fromText(text));
  }

  /** The id of the DOM node that Chromium printed as this element; undefined for other elements. */
  get node(): number | undefined {
    const id = this.dict.lookup(PDFName.of('ID'));
    const match = id instanceof PDFString ? /^node(\d+)$/.exec(id.asString()) : null;
    return match === null ? undefined : Number(match[1]);
  }

  get elements(): StructureElement[] {
    return this.kids.filter((kid) => kid instanceof StructureElement);
  }

  /** The attribute objects (14.8.5). */
  get attributes(): PDFDict[] {
    return dictsIn(this.dict.lookup(PDFName.of('A')));
  }

  /** Adds an attribute object, after existing ones. */
  addAttributes(attributes: PDFDict): void {
    this.dict.set(PDFName.of('A'), this.dict.context.obj([...this.attributes, attributes]));
  }

  /** Yields this element and all elements below it, in reading order. */
  *descendants(): Generator<StructureElement> {
    yield this;
    for (const element of this.elements) yield* element.descendants();
  }
}

/** The page or form whose content stream contains a marked-content sequence. */
export type HolderOf = (content: MarkedContent) => PDFRef | undefined;

/**
 * Returns the root of the tree: an element of the type Document. A document without a tree, or with several elements at the top,
 * gets one.
 */
export function readStructureTree({ context, catalog }: PDFDocument): StructureElement {
  const root = catalog.lookup(PDFName.of('StructTreeRoot'));
  const kids = root instanceof PDFDict ? readKids(root, undefined, new Set()) : [];
  const [first] = kids;
  if (kids.length === 1 && first instanceof StructureElement && first.type === 'Document') return first;
  return StructureElement.create(context, 'Document', kids);
}

/** Reads the kids of an element. `page`: that of the element, which applies to kids without one. */
function readKids(dict: PDFDict, page: PDFRef | undefined, visited: Set<PDFObject>): StructureKid[] {
  const { context } = dict;
  const value = dict.get(PDFName.of('K'));
  const list =
    context.lookup(value) instanceof PDFArray ? dict.lookup(PDFName.of('K'), PDFArray).asArray() : [value];
  const ownPage = pageIn(dict) ?? page;
  return list.flatMap((entry): StructureKid[] => {
    const kid = context.lookup(entry);
    if (kid instanceof PDFNumber)
      return ownPage === undefined ? [] : [{ page: ownPage, number: kid.asNumber() }];
    if (!(kid instanceof PDFDict) || visited.has(kid)) return [];
    visited.add(kid);
    const type = kid.get(PDFName.of('Type'));
    if (type === PDFName.of('MCR') || type === PDFName.of('OBJR')) return leafOf(kid, ownPage);
    const element = StructureElement.existing(entry instanceof PDFRef ? entry : context.register(kid), kid);
    element.kids = readKids(kid, ownPage, visited);
    return [element];
  });
}

function leafOf(dict: PDFDict, elementPage: PDFRef | undefined): StructureKid[] {
  const page = pageIn(dict) ?? elementPage;
  const number = dict.lookup(PDFName.of('MCID'));
  const object = dict.get(PDFName.of('Obj'));
  if (page === undefined) return [];
  if (number instanceof PDFNumber) return [{ page, number: number.asNumber() }];
  return object instanceof PDFRef ? [{ page, object }] : [];
}

function pageIn(dict: PDFDict): PDFRef | undefined {
  const page = dict.get(PDFName.of('Pg'));
  return page instanceof PDFRef ? page : undefined;
}

/** Writes the tree, and the numbers with which pages, forms and annotations refer to it (14.7.4.4). */
export function writeStructureTree(
  { context, catalog }: PDFDocument,
  root: StructureElement,
  holderOf: HolderOf,
): void {
  const existing = catalog.lookup(PDFName.of('StructTreeRoot'));
  const rootDict = existing instanceof PDFDict ? existing : context.obj({ Type: 'StructTreeRoot' });
  const rootEntry = catalog.get(PDFName.of('StructTreeRoot'));
  const rootRef = rootEntry instanceof PDFRef ? rootEntry : context.register(rootDict);
  const parents = new ParentNumbers(context);
  const write = (element: StructureElement, parent: PDFRef) => {
    const { dict, ref } = element;
    dict.set(PDFName.of('P'), parent);
    const kids = element.kids.flatMap((kid): PDFObject[] => {
      if (kid instanceof StructureElement) {
        write(kid, ref);
        return [kid.ref];
      }
      if ('object' in kid) {
        parents.addObject(kid.object, ref);
        return [context.obj({ Type: 'OBJR', Obj: kid.object, Pg: kid.page })];
      }
      const holder = holderOf(kid);
      if (holder === undefined) return [];
      parents.addContent(holder, kid.number, ref);
      const stream = holder === kid.page ? {} : { Stm: holder };
      return [context.obj({ Type: 'MCR', Pg: kid.page, MCID: kid.number, ...stream })];
    });
    dict.set(PDFName.of('K'), context.obj(kids));
  };
  write(root, rootRef);
  rootDict.set(PDFName.of('K'), root.ref);
  rootDict.set(PDFName.of('ParentTree'), context.register(parents.tree()));
  rootDict.set(PDFName.of('ParentTreeNextKey'), PDFNumber.of(parents.size));
  const ids = idTree(root);
  if (ids === undefined) rootDict.delete(PDFName.of('IDTree'));
  else rootDict.set(PDFName.of('IDTree'), context.register(ids));
  catalog.set(PDFName.of('StructTreeRoot'), rootRef);
  catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
}

/** The parent tree: which element contains each marked-content sequence and each annotation. */
class ParentNumbers {
  readonly #context: PDFContext;
  /** The elements of the sequences of a page or form, by the numbers of the sequences. */
  readonly #contents = new Map<PDFRef, Map<number, PDFRef>>();
  readonly #objects = new Map<PDFRef, PDFRef>();

  constructor(context: PDFContext) {
    this.#context = context;
  }

  get size(): number {
    return this.#contents.size + this.#objects.size;
  }

  addContent(holder: PDFRef, number: number, element: PDFRef): void {
    const contents = this.#contents.get(holder) ?? new Map<number, PDFRef>();
    contents.set(number, element);
    this.#contents.set(holder, contents);
  }

  addObject(object: PDFRef, element: PDFRef): void {
    this.#objects.set(object, element);
  }

  /** Returns the tree, and writes its keys into the pages, forms and annotations. Removes all earlier keys. */
  tree(): PDFDict {
    const context = this.#context;
    for (const [, object] of context.enumerateIndirectObjects()) {
      const dict = object instanceof PDFStream ? object.dict : object;
      if (!(dict instanceof PDFDict)) continue;
      dict.delete(PDFName.of('StructParents'));
      dict.delete(PDFName.of('StructParent'));
    }
    const pairs = context.obj([]);
    const add = (value: PDFObject) => {
      pairs.push(PDFNumber.of(pairs.size() / 2));
      pairs.push(value);
      return PDFNumber.of(pairs.size() / 2 - 1);
    };
    for (const [holder, contents] of this.#contents) {
      const length = [...contents.keys()].reduce((last, number) => Math.max(last, number), -1) + 1;
      const elements = Array.from({ length }, (_, number) => contents.get(number) ?? null);
      setIn(context.lookup(holder), 'StructParents', add(context.register(context.obj(elements))));
    }
    for (const [object, element] of this.#objects)
      setIn(context.lookup(object), 'StructParent', add(element));
    return context.obj({ Nums: pairs });
  }
}

function setIn(object: PDFObject | undefined, key: string, value: PDFObject): void {
  const dict = object instanceof PDFStream ? object.dict : object;
  if (dict instanceof PDFDict) dict.set(PDFName.of(key), value);
}

/** Returns the name tree of the elements with an ID, to which the headers of table cells refer; undefined if there are none. */
function idTree(root: StructureElement): PDFDict | undefined {
  const pairs = [...root.descendants()].flatMap(({ dict, ref }) => {
    const id = dict.lookup(PDFName.of('ID'));
    return id instanceof PDFString || id instanceof PDFHexString ? [[id, ref] as const] : [];
  });
  return createNameTree(root.dict.context, pairs);
}
