/** One walk over the texts and images of a page, shadow trees included. Part of the program `look`. */

export interface Sight {
  readonly text: (element: Element, text: string, pseudo?: string) => void;
  readonly image: (image: HTMLImageElement) => void;
}

const unseen = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'option', 'datalist']);

/** Icon fonts write their characters before elements that are empty. */
const mostIcons = 1000;

/** False when there are more than so many elements. */
export function walk(page: Document, most: number, sight: Sight): boolean {
  let left = most;
  let icons = mostIcons;
  return inside(page.querySelector('body') ?? page.documentElement);
  function inside(root: Element | ShadowRoot): boolean {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node: Node | null = walker.currentNode; node !== null; node = walker.nextNode()) {
      // Elements that came out of a frame are instances of that frame's classes.
      if (node.nodeType === Node.TEXT_NODE) text(node as Text);
      else if (node.nodeType === Node.ELEMENT_NODE && ((left -= 1) < 0 || !element(node as Element)))
        return false;
    }
    return true;
  }
  function text({ parentElement, parentNode, data }: Text): void {
    const parent = parentElement ?? (parentNode instanceof ShadowRoot ? parentNode.host : null);
    if (parent !== null && !unseen.has(parent.localName) && /\S/.test(data)) sight.text(parent, data);
  }
  function element(at: Element): boolean {
    if (at.localName === 'img') sight.image(at as HTMLImageElement);
    else if (at.firstChild === null && 'innerText' in at && (icons -= 1) >= 0) icon(at);
    return at.shadowRoot === null || inside(at.shadowRoot);
  }
  function icon(at: Element): void {
    for (const pseudo of ['::before', '::after']) {
      const written = /^"(.*)"$/s.exec(getComputedStyle(at, pseudo).content)?.[1];
      if (written && /\S/.test(written) && at.checkVisibility()) sight.text(at, written, pseudo);
    }
  }
}
