/** Measures a document. Compiled separately and injected into the page as source text. */
import { attributesSize } from './description-size.ts';

export interface DocumentSize {
  /** Elements, texts and comments, also in shadow trees and frames of the same site. */
  readonly nodes: number;
  /** The characters of texts, comments and attributes. */
  readonly characters: number;
  /** The lines of texts that are laid out. Chromium describes each of them. */
  readonly lines: number;
}

export function documentSize(): DocumentSize {
  let nodes = 0;
  let characters = 0;
  let lines = 0;
  const roots: (Document | ShadowRoot)[] = [document];
  for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
    const walker = document.createTreeWalker(root);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      nodes += 1;
      if (!(node instanceof Element)) {
        characters += node.nodeValue?.length ?? 0;
        if (node.nodeType === Node.TEXT_NODE) lines += linesOf(node);
        continue;
      }
      characters += attributesSize(node);
      const inner = 'contentDocument' in node ? (node.contentDocument as Document | null) : null;
      if (inner !== null) roots.push(inner);
      if (node.shadowRoot !== null) roots.push(node.shadowRoot);
    }
  }
  return { nodes, characters, lines };
}

function linesOf(text: Node): number {
  const range = document.createRange();
  range.selectNodeContents(text);
  return range.getClientRects().length;
}
