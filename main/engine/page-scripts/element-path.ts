/**
 * Describes an element by a short path that resembles a CSS selector, so that a reader can find the element in the source:
 * `table.items > tbody > tr:nth-of-type(3) > td.price`.
 */

/** The part of an Element that a path describes. A snapshot of a document has such elements too. */
export interface PathElement {
  readonly localName: string;
  readonly id: string;
  /** For an SVG element, an object. */
  readonly className: unknown;
  readonly classList: Iterable<string>;
  readonly parentElement: PathElement | null;
  readonly children: Iterable<PathElement>;
  /** Absent if `parentElement` of an element at the top of a shadow tree is its host. */
  readonly getRootNode?: () => unknown;
}

/** The largest number of elements in a path. Ancestors of an element with an id are omitted. */
const maxLevels = 4;
const maxNameLength = 60;

export function elementPath(element: PathElement): string {
  const parts: string[] = [];
  for (let current: PathElement | null = element; current !== null; current = parentOf(current)) {
    if (parts.length > 0 && /^(body|html)$/i.test(current.localName)) break;
    parts.unshift(partOf(current));
    if (current.id !== '' || parts.length === maxLevels) break;
  }
  return parts.join(' > ');
}

/** Returns the parent; for an element at the top of a shadow tree, the host. */
export function parentOf(element: PathElement): PathElement | null {
  if (element.parentElement !== null || element.getRootNode === undefined) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

function partOf(element: PathElement): string {
  const name = truncated(element.localName);
  const { id } = element;
  if (id !== '') return `${name}#${truncated(id)}`;
  const [first] = element.classList;
  const named = first === undefined ? name : `${name}.${truncated(first)}`;
  return `${named}${positionOf(element)}`;
}

/** Returns `:nth-of-type(n)` if siblings have the same tag and class; otherwise an empty string. */
function positionOf(element: PathElement): string {
  const siblings = [...(element.parentElement?.children ?? [])].filter(
    ({ localName, className }) => localName === element.localName && className === element.className,
  );
  if (siblings.length < 2) return '';
  const sameTag = [...(element.parentElement?.children ?? [])].filter(
    ({ localName }) => localName === element.localName,
  );
  return `:nth-of-type(${sameTag.indexOf(element) + 1})`;
}

function truncated(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name;
}
