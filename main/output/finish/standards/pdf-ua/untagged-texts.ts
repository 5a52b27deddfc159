/**
 * Finds the nodes of text that Chromium prints without tags: numbers of lists, other content that style sheets generate, and labels of
 * check boxes.
 */
import type { HtmlNodes } from './html-nodes.ts';
import type { PageText } from './page-structure.ts';
import type { StructureElement } from './structure-tree.ts';
import type { TreePlaces } from './tree-places.ts';

interface UntaggedText {
  readonly source: PageText;
  /** The characters that have not been met, without white space. */
  remaining: string;
  element: StructureElement | undefined;
}

/** Texts with the same first character that are compared. Many bullets have the same text, and are drawn without text. */
const maxCompared = 100;

export class UntaggedTexts {
  readonly #places: TreePlaces;
  /** The texts in document order, by the first character that has not been met. */
  readonly #byCharacter = new Map<string, UntaggedText[]>();

  constructor(html: HtmlNodes, places: TreePlaces) {
    this.#places = places;
    for (const source of html.texts)
      if (places.elementOf(source.id) === undefined)
        this.#add({ source, remaining: withoutSpace(source.text), element: undefined });
  }

  /**
   * Returns the element of painted text, which may be a line of a longer text. Adds the element to the tree; undefined if no text of the
   * page is missing there.
   */
  elementFor(painted: string): StructureElement | undefined {
    const wanted = withoutSpace(painted);
    const candidates = this.#byCharacter.get(wanted.charAt(0)) ?? [];
    const at = candidates.slice(0, maxCompared).findIndex(({ remaining }) => remaining.startsWith(wanted));
    const [found] = at === -1 || wanted === '' ? [] : candidates.splice(at, 1);
    if (found === undefined) return undefined;
    found.element ??= this.#places.create(found.source.isMarker ? 'Lbl' : 'Span', found.source.id);
    found.remaining = found.remaining.slice(wanted.length);
    if (found.remaining !== '') this.#add(found);
    return found.element;
  }

  #add(text: UntaggedText): void {
    const character = text.remaining.charAt(0);
    const texts = this.#byCharacter.get(character);
    if (texts === undefined) this.#byCharacter.set(character, [text]);
    // The rest of a text that has begun comes next.
    else if (text.element !== undefined) texts.unshift(text);
    else texts.push(text);
  }
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
