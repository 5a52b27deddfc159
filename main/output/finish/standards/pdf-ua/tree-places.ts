/** Finds the elements of nodes in the structure tree, and adds elements where their nodes are in document order. */
import type { HtmlNodes } from './html-nodes.ts';
import { StructureElement, type StructureKid } from './structure-tree.ts';

/** Types of elements that Chromium does not print if they have no text. */
const typesByTag: Readonly<Record<string, string>> = {
  li: 'LI',
  p: 'P',
  td: 'TD',
  th: 'TH',
  tr: 'TR',
};

/** Types whose kids are restricted (ISO 32000-1, 14.8.4.3), so that other elements cannot be added to them. */
const restrictedTypes = new Set(['L', 'Table', 'THead', 'TBody', 'TFoot', 'TR']);

const partTypes = new Set(['LI', 'TD', 'TH', 'TR']);

export class TreePlaces {
  readonly #root: StructureElement;
  readonly #html: HtmlNodes;
  readonly #elements = new Map<number, StructureElement>();

  constructor(root: StructureElement, html: HtmlNodes) {
    this.#root = root;
    this.#html = html;
    for (const element of root.descendants())
      if (element.node !== undefined) this.#elements.set(element.node, element);
  }

  elementOf(node: number): StructureElement | undefined {
    return this.#elements.get(node);
  }

  /** Adds an element of a type for a node; undefined if the parent allows no such kid. */
  create(type: string, node: number): StructureElement | undefined {
    const element = StructureElement.create(this.#root.dict.context, type);
    return this.insert(element, node) ? element : undefined;
  }

  /** Adds an element for a node, at the end of the tree if the parent allows no such kid. */
  insertOrAppend(element: StructureElement, node: number): void {
    if (!this.insert(element, node)) this.#root.kids.push(element);
  }

  /** Adds an element for a node. Returns false, and does nothing, if the parent allows no such kid. */
  insert(element: StructureElement, node: number): boolean {
    const parent = this.#parentFor(node);
    const isPart = partTypes.has(element.type);
    if (restrictedTypes.has(parent.type) && !isPart) return false;
    const at = this.#html.orderOf(node);
    const isBefore = (kid: StructureKid) => kid instanceof StructureElement && this.#orderOf(kid) < at;
    const body = parent.elements.findLast((kid) => kid.type === 'LBody' && isBefore(kid));
    const target =
      element.type === 'Lbl'
        ? parent
        : (body ?? parent.elements.find(({ type }) => type === 'LBody') ?? parent);
    target.kids.splice(target.kids.findLastIndex(isBefore) + 1, 0, element);
    this.#elements.set(node, element);
    return true;
  }

  /**
   * Returns the element of the nearest ancestor that has one. Adds paragraphs, items, rows and cells that have none, because they were
   * empty.
   */
  #parentFor(node: number): StructureElement {
    for (let id = this.#html.parentOf(node); id !== undefined; id = this.#html.parentOf(id)) {
      const existing = this.#elements.get(id);
      if (existing !== undefined) return existing;
      const type = typesByTag[this.#html.elementAt(id)?.tag ?? ''];
      if (type === undefined) continue;
      const element = StructureElement.createFor(this.#root.dict.context, type, id);
      if (this.insert(element, id)) return element;
    }
    return this.#root;
  }

  #orderOf(element: StructureElement): number {
    if (element.node !== undefined) return this.#html.orderOf(element.node);
    return element.elements.reduce((first, kid) => Math.min(first, this.#orderOf(kid)), Infinity);
  }
}
