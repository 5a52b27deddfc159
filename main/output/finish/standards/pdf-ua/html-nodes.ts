/** Finds the HTML nodes of structure elements, and their relations, in the nodes of the printed page. */
import type { PageElement, PageStructure, PageText } from './page-structure.ts';
import type { StructureElement } from './structure-tree.ts';

export class HtmlNodes {
  readonly #structure: PageStructure;
  readonly #elements: ReadonlyMap<number, PageElement>;
  /** The index of each node in document order. */
  readonly #order: ReadonlyMap<number, number>;
  /** The described children of each node. */
  readonly #children = new Map<number, PageElement[]>();

  constructor(structure: PageStructure) {
    this.#structure = structure;
    this.#elements = new Map(structure.elements.map((element) => [element.id, element]));
    this.#order = new Map(structure.ids.map((id, index) => [id, index]));
    for (const element of structure.elements) {
      const parent = this.parentOf(element.id);
      if (parent === undefined) continue;
      const siblings = this.#children.get(parent);
      if (siblings === undefined) this.#children.set(parent, [element]);
      else siblings.push(element);
    }
  }

  get pictures(): readonly PageElement[] {
    return this.#structure.elements.filter(({ isPicture }) => isPicture === true);
  }

  /** Returns the HTML element that Chromium printed as a structure element; undefined if it is not described. */
  of({ node }: StructureElement): PageElement | undefined {
    return node === undefined ? undefined : this.#elements.get(node);
  }

  elementAt(id: number): PageElement | undefined {
    return this.#elements.get(id);
  }

  /** Shown texts in document order; see `PageText`. */
  get texts(): readonly PageText[] {
    return this.#structure.texts;
  }

  parentOf(id: number): number | undefined {
    return this.#structure.ids[this.#structure.parents[this.orderOf(id)] ?? -1];
  }

  /** Returns the described children of a node, in document order. */
  childrenOf(id: number): readonly PageElement[] {
    return this.#children.get(id) ?? [];
  }

  /** Returns a number that grows in document order; -1 for an unknown node. */
  orderOf(id: number): number {
    return this.#order.get(id) ?? -1;
  }
}
