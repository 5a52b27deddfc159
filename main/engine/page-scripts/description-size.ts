/** Estimates the length of the DevTools protocol's description of an element, which the service has to read. */

/** The characters of a node's description without its attributes and children. */
const nodeSize = 250;

/** Returns the number of characters that describe an element and its children, but not their children. */
export function descriptionSize(element: Element): number {
  let size = nodeSize + attributesSize(element);
  for (const child of element.childNodes)
    size += nodeSize + (child instanceof Element ? attributesSize(child) : (child.nodeValue?.length ?? 0));
  return size;
}

/** Returns the number of characters of the attributes' names and values. */
export function attributesSize({ attributes }: Element): number {
  let size = 0;
  for (const { name, value } of attributes) size += name.length + value.length;
  return size;
}
