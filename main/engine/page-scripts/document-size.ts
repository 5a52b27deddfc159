/** Measures a document. Compiled separately and injected into the page as source text. */
import { attributesSize } from './description-size.ts';

export interface DocumentSize {
  /** Elements, texts and comments, also in shadow trees and frames of the same site. */
  readonly nodes: number;
  /** The characters of texts, comments and attributes. */
  readonly characters: number;
}

export function documentSize(): DocumentSize {
  let nodes = 0;
  let characters = 0;
  const roots: (Document | ShadowRoot)[] = [document];
  for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
    const walker = document.createTreeWalker(root);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      nodes += 1;
      if (!(node instanceof Element)) {
        characters += node.nodeValue?.length ?? 0;
        continue;
      }
      characters += attributesSize(node);
      const inner = 'contentDocument' in node ? (node.contentDocument as Document | null) : null;
      if (inner !== null) roots.push(inner);
      if (node.shadowRoot !== null) roots.push(node.shadowRoot);
    }
  }
  return { nodes, characters };
}
