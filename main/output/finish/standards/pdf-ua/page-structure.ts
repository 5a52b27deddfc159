/**
 * Describes the nodes of a page by the ids that Chromium writes into the structure of a tagged PDF. The structure itself has fewer
 * facts: for example, it does not distinguish a quotation from any other block.
 */
import type { DomSnapshot, PageSnapshot } from '../../../../engine/devtools/print-marks.ts';
import { elementPath, type PathElement } from '../../../../engine/page-scripts/element-path.ts';

/** The nodes of a page. */
export interface PageStructure {
  /** The attribute `lang` of the root element; empty if it is not set. Chromium prints its own language if it is not set. */
  readonly language: string;
  /** The ids of all nodes in document order. The nodes of a frame follow their frame element. */
  readonly ids: readonly number[];
  /** For each node, the index of its parent; -1 for the document. */
  readonly parents: readonly number[];
  readonly elements: readonly PageElement[];
  readonly texts: readonly PageText[];
}

/** A text that the page shows: a text node, or the content of a pseudo-element such as `::marker`. Hidden content has none. */
export interface PageText {
  readonly id: number;
  readonly text: string;
  readonly isMarker: boolean;
}

/** An element whose structure type or alternative text depends on more than Chromium prints. */
export interface PageElement {
  readonly id: number;
  /** In lower case, such as `blockquote`. */
  readonly tag: string;
  /** A short path for messages, such as `main > img.logo`, of a picture, a formula or a heading. */
  readonly path?: string;
  /** The attribute `role`, if it is set. */
  readonly role?: string;
  /** The text alternative of a picture, or the text of a link; absent if there is none. */
  readonly label?: string;
  /** The element is a picture that the page shows, and is not marked as decoration. */
  readonly isPicture?: true;
  /** The name of the destination that the PDF has for a picture, if it is printed; see print-marks.ts. */
  readonly anchor?: string;
  /** The computed `list-style-type` of a list. */
  readonly listStyle?: string;
  /** The page shows the row or cell of a table, which may be empty. */
  readonly isLaidOut?: true;
  /** The number of columns and rows of a cell, if it is not 1. */
  readonly columnSpan?: number;
  readonly rowSpan?: number;
}

export function structureOf({ dom, anchorPrefix }: PageSnapshot): PageStructure {
  const nodes: SnapshotNode[] = [];
  addDocument(dom, { document: 0, parent: undefined, anchorPrefix, nodes });
  const byId = new Map<string, SnapshotNode>();
  for (const node of nodes) if (node.id !== '' && !byId.has(node.id)) byId.set(node.id, node);
  const described = nodes.filter(({ localName, role }) => describedTags.has(localName) || role !== '');
  const rootElement = nodes.find(({ localName }) => localName !== '');
  return {
    language: rootElement?.attribute('lang') ?? rootElement?.attribute('xml:lang') ?? '',
    ids: nodes.map(({ nodeId }) => nodeId),
    parents: nodes.map(({ parent }) => parent?.index ?? -1),
    elements: described.map((node) => describe(node, byId)),
    texts: nodes.filter((node) => node.box?.text !== undefined && !isHidden(node)).map(textOf),
  };
}

/** Elements that are described in `PageStructure.elements`, in addition to those with a role. */
const describedTags = new Set(
  [
    'a area article aside blockquote canvas caption code dd dl dt embed figcaption figure h1 h2 h3 h4 h5 h6 img',
    'input kbd li math menu nav object ol p pre q samp section svg table tbody td tfoot th thead tr ul video',
  ].flatMap((line) => line.split(' ')),
);

const pictureTags = new Set(['canvas', 'embed', 'img', 'object', 'svg', 'video']);
const pictureRoles = new Set(['img', 'image', 'graphics-document', 'graphics-symbol']);

function describe(node: SnapshotNode, byId: ReadonlyMap<string, SnapshotNode>): PageElement {
  const anchor = node.attribute('id');
  const { nodeId, localName: tag, role, box } = node;
  const label = labelOf(node, byId);
  const isShownPicture = box?.isVisible === true && isPicture(node) && !isDecoration(node);
  const isList = tag === 'ul' || tag === 'ol' || tag === 'menu';
  return {
    id: nodeId,
    tag,
    ...(role !== '' && { role }),
    ...(label !== '' && { label }),
    ...((isShownPicture || /^(h[1-6]|math)$/.test(tag) || role === 'heading') && { path: elementPath(node) }),
    ...(isShownPicture && { isPicture: true as const }),
    ...(isShownPicture && anchor !== undefined && { anchor }),
    ...(isList && box !== undefined && { listStyle: box.listStyle }),
    ...(/^t[rhd]$/.test(tag) && box !== undefined && { isLaidOut: true as const }),
    ...(/^t[hd]$/.test(tag) && spansOf(node)),
  };
}

function spansOf({ attribute }: SnapshotNode): Pick<PageElement, 'columnSpan' | 'rowSpan'> {
  const spanIn = (name: string) => Math.max(1, Number.parseInt(attribute(name) ?? '1', 10) || 1);
  const columnSpan = spanIn('colspan');
  const rowSpan = spanIn('rowspan');
  return { ...(columnSpan > 1 && { columnSpan }), ...(rowSpan > 1 && { rowSpan }) };
}

/** More would take quadratic time: labels may contain each other, and name the same elements. */
const maxLabellingElements = 20;
const maxLabelNodes = 2000;
const maxLabelLength = 10_000;

/** Returns the text alternative that the author gives an element (WAI-ARIA 1.2, 4.3; HTML-AAM); empty if there is none. */
function labelOf(node: SnapshotNode, byId: ReadonlyMap<string, SnapshotNode>): string {
  const labelling = node.attribute('aria-labelledby')?.split(/\s+/, maxLabellingElements) ?? [];
  const candidates = [
    labelling.map((id) => byId.get(id)?.textContent ?? '').join(' '),
    node.attribute('aria-label'),
    ownAlternative(node),
    node.attribute('title'),
  ];
  return candidates.map((text) => text?.replace(/\s+/g, ' ').trim() ?? '').find((text) => text !== '') ?? '';
}

function ownAlternative(node: SnapshotNode): string | undefined {
  switch (node.localName) {
    case 'img':
    case 'area':
      return node.attribute('alt');
    case 'input':
      return node.attribute('alt') ?? node.attribute('placeholder');
    case 'svg':
      return node.childNodes.find(({ localName }) => localName === 'title')?.textContent;
    case 'math':
      return node.attribute('alttext') ?? node.textContent;
    case 'a':
    case 'canvas':
    case 'object':
      return node.textContent;
    default:
      return undefined;
  }
}

function showsPicture({ localName, role, attribute }: SnapshotNode): boolean {
  const isInput = localName === 'input' && attribute('type') === 'image';
  return pictureTags.has(localName) || pictureRoles.has(role) || isInput;
}

/** Returns whether the element is a whole picture. A drawing inside another one is a part of it. */
function isPicture(node: SnapshotNode): boolean {
  return showsPicture(node) && !node.isInPicture;
}

function textOf({ nodeId, localName, box }: SnapshotNode): PageText {
  return { id: nodeId, text: box?.text ?? '', isMarker: localName === '::marker' };
}

/** Returns whether the author hides a node from screen readers. Parts of a picture are hidden by its text alternative. */
function isHidden(node: SnapshotNode): boolean {
  return node.isAriaHidden || node.isInPicture;
}

function isDecoration(node: SnapshotNode): boolean {
  const isEmptyImage = node.localName === 'img' && node.attribute('alt')?.trim() === '';
  return node.isAriaHidden || isEmptyImage || node.role === 'presentation' || node.role === 'none';
}

interface DocumentPosition {
  /** Index of the document in the snapshot. */
  readonly document: number;
  /** The frame element of the document. */
  readonly parent: SnapshotNode | undefined;
  readonly anchorPrefix: string;
  /** The nodes of all documents so far. */
  readonly nodes: SnapshotNode[];
}

/** Adds the nodes of a document and of its frames. */
function addDocument(snapshot: DomSnapshot, position: DocumentPosition): void {
  const { document, parent: frame, anchorPrefix, nodes } = position;
  const source = snapshot.documents[document];
  if (source === undefined) return;
  const frames = new Map(
    source.nodes.contentDocumentIndex.index.map((node, at) => [
      node,
      source.nodes.contentDocumentIndex.value[at],
    ]),
  );
  const boxes = boxesOf(snapshot, document);
  const own: SnapshotNode[] = [];
  source.nodes.parentIndex.forEach((parentIndex, at) => {
    const parent = parentIndex === -1 ? frame : own[parentIndex];
    const node = new SnapshotNode(snapshot, {
      document,
      at,
      index: nodes.length,
      parent,
      box: boxes.get(at),
      anchorPrefix,
    });
    own.push(node);
    nodes.push(node);
    parent?.childNodes.push(node);
    const content = frames.get(at);
    if (content !== undefined) addDocument(snapshot, { ...position, document: content, parent: node });
  });
}

/** The box of a node in the layout. */
interface NodeBox {
  /** The box has an area and is not hidden. */
  readonly isVisible: boolean;
  readonly listStyle: string;
  /** The text as it is shown, of a text node or a pseudo-element. */
  readonly text?: string;
}

/** Returns the boxes of a document's nodes. */
function boxesOf({ strings, documents }: DomSnapshot, document: number): Map<number, NodeBox> {
  const boxes = new Map<number, NodeBox>();
  const layout = documents[document]?.layout;
  layout?.nodeIndex.forEach((node, at) => {
    const [, , width = 0, height = 0] = layout.bounds[at] ?? [];
    const [visibility, listStyle = ''] = (layout.styles[at] ?? []).map((value) => strings[value] ?? '');
    const isVisible = width > 0 && height > 0 && visibility === 'visible';
    // A pseudo-element has two boxes, and only the inner one has text.
    const text = `${boxes.get(node)?.text ?? ''}${strings[layout.text[at] ?? -1] ?? ''}`;
    boxes.set(node, { isVisible, listStyle, ...(text.trim() !== '' && isVisible && { text }) });
  });
  return boxes;
}

interface SnapshotNodeOptions {
  readonly document: number;
  readonly at: number;
  readonly index: number;
  readonly parent: SnapshotNode | undefined;
  readonly box: NodeBox | undefined;
  readonly anchorPrefix: string;
}

/** Values of Node.nodeType (DOM, 4.4). */
const nodeTypes = { element: 1, text: 3, fragment: 11 } as const;

class SnapshotNode implements PathElement {
  /** The index among the nodes of all documents. */
  readonly index: number;
  readonly nodeId: number;
  readonly parent: SnapshotNode | undefined;
  readonly childNodes: SnapshotNode[] = [];
  /** Undefined if the node is not laid out. */
  readonly box: NodeBox | undefined;
  /** In lower case; empty for nodes other than elements. */
  readonly localName: string;
  readonly #nodeType: number | undefined;
  /** The text of a text node; empty for other nodes. */
  readonly #text: string;
  readonly #attributes = new Map<string, string>();

  constructor({ strings, documents }: DomSnapshot, options: SnapshotNodeOptions) {
    const { document, at, index, parent, box } = options;
    const nodes = documents[document]?.nodes;
    const string = (value: number | undefined) => strings[value ?? -1] ?? '';
    this.index = index;
    this.parent = parent;
    this.box = box;
    this.nodeId = nodes?.backendNodeId[at] ?? 0;
    this.#nodeType = nodes?.nodeType[at];
    this.localName = this.#isElement ? string(nodes?.nodeName[at]).toLowerCase() : '';
    this.#text = this.#nodeType === nodeTypes.text ? string(nodes?.nodeValue[at]) : '';
    const attributes = nodes?.attributes[at] ?? [];
    for (let next = 0; next + 1 < attributes.length; next += 2)
      this.#attributes.set(string(attributes[next]), string(attributes[next + 1]));
    const id = this.attribute('id') ?? '';
    this.id = id.startsWith(options.anchorPrefix) ? '' : id;
    this.isAriaHidden = parent?.isAriaHidden === true || this.attribute('aria-hidden') === 'true';
    this.isInPicture = parent !== undefined && (parent.isInPicture || showsPicture(parent));
  }

  readonly attribute = (name: string): string | undefined => this.#attributes.get(name);

  get role(): string {
    return this.attribute('role')?.trim().toLowerCase() ?? '';
  }

  /** Empty if the element got its id when its picture was marked. */
  readonly id: string;

  /** Whether the element or an ancestor has aria-hidden. */
  readonly isAriaHidden: boolean;
  /** Whether an ancestor is a picture. */
  readonly isInPicture: boolean;

  get className(): string {
    return this.attribute('class') ?? '';
  }

  get classList(): readonly string[] {
    return this.className.split(/\s+/).filter((name) => name !== '');
  }

  /** The parent element; for an element at the top of a shadow tree, its host. */
  get parentElement(): SnapshotNode | null {
    const { parent } = this;
    if (parent === undefined) return null;
    if (parent.#nodeType === nodeTypes.fragment) return parent.parent ?? null;
    return parent.#isElement ? parent : null;
  }

  /** The child elements, without pseudo-elements such as `::marker`. */
  get children(): readonly SnapshotNode[] {
    return this.childNodes.filter((node) => node.#isElement && !node.localName.startsWith('::'));
  }

  /** The text of the first nodes inside the node, with the text alternatives of images. */
  get textContent(): string {
    let text = '';
    const waiting: SnapshotNode[] = [this];
    for (let visited = 0; visited < maxLabelNodes && text.length < maxLabelLength; visited += 1) {
      const node = waiting.pop();
      if (node === undefined) break;
      if (node.localName === 'img') text += node.attribute('alt') ?? '';
      else {
        text += node.#text;
        waiting.push(...node.childNodes.slice(0, maxLabelNodes).reverse());
      }
    }
    return text.slice(0, maxLabelLength);
  }

  get #isElement(): boolean {
    return this.#nodeType === nodeTypes.element;
  }
}
