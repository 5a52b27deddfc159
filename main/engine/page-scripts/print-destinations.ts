/**
 * Lets Chromium print destinations: it prints the position of an element, as a named destination, if the document has a link to the
 * element. Compiled separately and injected into the page as source text.
 */

/**
 * Adds a hidden link to each picture, and an id to pictures without one. Their destinations are the only way to find out where a
 * drawing is printed, and whether it is: a tagged PDF refers only to text and pixel images.
 */
export function addPictureAnchors(prefix: string): void {
  let count = 0;
  const pictures = [
    ...document.querySelectorAll('img, svg, canvas, video, embed, object, [role="img"], [role="image"]'),
  ];
  for (const picture of pictures) if (picture.id === '') picture.id = `${prefix}${(count += 1)}`;
  addAnchors(pictures.map(({ id }) => id));
}

/** Adds a hidden link to each fragment of the document. A fragment is an id, percent-encoded where a URL needs it. */
export function addAnchors(fragments: readonly string[]): void {
  const links = document.createDocumentFragment();
  for (const fragment of fragments) {
    // In the namespace of HTML, also if the document is XML.
    const link = document.createElementNS('http://www.w3.org/1999/xhtml', 'a');
    link.setAttribute('href', `#${fragment}`);
    link.style.setProperty('display', 'none', 'important');
    links.append(link);
  }
  // Not in the body, where it could match a selector such as :last-child.
  const parent = (document.head as HTMLElement | null) ?? document.documentElement;
  parent.append(links);
}

/**
 * Makes links to the document itself, such as `./#terms` or `letter.html#terms`, links inside it: Chromium recognises only the address
 * of the document. `names`: other relative addresses of the document. Does nothing if the page has navigated to another site.
 */
export function joinOwnLinks(names: readonly string[]): void {
  if (location.protocol !== 'platen:') return;
  const own = new Set([document.URL, ...names.map((name) => new URL(name, document.URL).href)].map(pageOf));
  for (const link of document.querySelectorAll('a[href*="#"], area[href*="#"]')) {
    const href = link.getAttribute('href') ?? '';
    if (href.startsWith('#') || !URL.canParse(href, document.baseURI)) continue;
    const { href: address, hash } = new URL(href, document.baseURI);
    if (hash !== '' && own.has(pageOf(address))) link.setAttribute('href', hash);
  }
}

/** Returns an address without its fragment, and without unneeded percent-encoding. */
function pageOf(address: string): string {
  const page = address.split('#', 1)[0] ?? '';
  try {
    return decodeURI(page);
  } catch {
    return page;
  }
}
