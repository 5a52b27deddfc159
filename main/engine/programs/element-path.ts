/** Names an element so that a person finds it in the source: `table.items > tbody > tr:nth-of-type(3) > td.price`. */

/** Levels named, when no id comes first. */
const mostLevels = 4;
const longestName = 60;

export function elementPath(element: Element): string {
  const parts: string[] = [];
  for (let at: Element | null = element; at !== null; at = parentOf(at)) {
    if (parts.length > 0 && /^(body|html)$/i.test(at.localName)) break;
    parts.unshift(partOf(at));
    if (at.id !== '' || parts.length === mostLevels) break;
  }
  return parts.join(' > ');
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

function partOf(element: Element): string {
  const { localName: name, id } = element;
  if (id !== '') return `${name}#${shortened(id)}`;
  const [first] = element.classList;
  const named = first === undefined ? name : `${name}.${shortened(first)}`;
  return `${named}${positionOf(element)}`;
}

/** Only where brothers of the same kind could be mistaken for it. */
function positionOf(element: Element): string {
  const brothers = [...(element.parentElement?.children ?? [])].filter(
    ({ localName, className }) => localName === element.localName && className === element.className,
  );
  if (brothers.length < 2) return '';
  const kind = [...(element.parentElement?.children ?? [])].filter(
    ({ localName }) => localName === element.localName,
  );
  return `:nth-of-type(${kind.indexOf(element) + 1})`;
}

function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
}
