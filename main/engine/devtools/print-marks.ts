/**
 * Marks controls and pictures of a page before it is printed. Only Chromium can determine where an element is printed, and in the PDF it
 * records only the positions of links and of their targets. Therefore each control is covered with an empty link, so that it can become a
 * form field, and each picture becomes the target of a hidden link.
 */
import { randomUUID } from 'node:crypto';
import type { Debugger } from 'electron';
import { Failure } from '../../failure/failure.ts';
import type { FoundControls } from '../page-scripts/controls/controls.ts';
import type { FormField } from '../page-scripts/controls/form-field.ts';
import type { DocumentSize } from '../page-scripts/document-size.ts';
import type { Page } from '../page.ts';
import { callPageScript, createIsolatedWorld, pageScriptCall, type SendCommand } from './evaluate.ts';

/**
 * Marks the visible controls of the main frame and returns them in document order. From then on, their values are not printed, and
 * checked controls are printed unchecked, because the form fields show the values and the checks. The page stays changed.
 */
export async function markFormFields({ window }: Page): Promise<readonly FormField[]> {
  // Because of the random part, a link of the page is not mistaken for a marker. The address has no host, so Chromium makes no DNS
  // lookup.
  const prefix = `platen-field:${randomUUID()}/`;
  return markControls(window.contents.debugger, prefix);
}

interface RemoteElement {
  readonly objectId?: string;
  readonly value?: unknown;
}

/** A page with more controls is refused. */
const maxControls = 10_000;
/** Of the descriptions of all controls: DevTools names the ids and classes of all hosts in one message. */
const maxCharacters = 8_000_000;
/** The number of concurrent DevTools commands, and the characters of their answers. A control with a longer description is refused. */
const groupLimits = { controls: 100, characters: 2_000_000 } as const;

/**
 * Adds the covers to the controls' user-agent shadow roots (the text of an input, the arrow of a select), and returns the fields.
 * Scripts cannot reach these roots, but the DevTools protocol can. Content that is added to them matches no selector of the page,
 * does not move other content, and is printed where its control is printed.
 * @throws Failure tooComplex if there are too many controls, or too much in them; Error if the script throws
 */
async function markControls(target: Debugger, prefix: string): Promise<FormField[]> {
  const send: SendCommand = (method, parameters) =>
    target.sendCommand(method, parameters) as Promise<unknown>;
  const executionContextId = await createIsolatedWorld(send);
  const expression = await pageScriptCall('controls.openControls');
  const found = await resultOf(send('Runtime.evaluate', { expression, contextId: executionContextId }));
  const sizes = (await resultOf(callOn(send, found, { function: sizesIn, returnByValue: true })))
    .value as number[];
  if (sizes.length > maxControls) throw tooManyControls(sizes.length);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (size > maxCharacters || sizes.some((one) => one > groupLimits.characters)) throw tooMuchInControls();
  const hosts = await hostsOf(send, found);
  const places: CoverPlace[] = [];
  for (const group of groupsOf(hosts, sizes))
    places.push(...(await Promise.all(group.map((host) => placeIn(send, host, executionContextId)))));
  const { value } = await resultOf(
    callOn(send, found, {
      function: coverIn,
      arguments: [{ value: prefix }, ...places.map(({ root }) => root)],
      returnByValue: true,
    }),
  );
  if (value === 'too large') throw tooMuchInControls();
  return (value as FormField[]).map((field, index) => {
    const node = places[index]?.node;
    return node === undefined ? field : { ...field, node };
  });
}

/** Covers the controls. Runs inside the page, and is sent as its source text. */
function coverIn(
  this: FoundControls,
  prefix: string,
  ...roots: (Element | ShadowRoot | null)[]
): ReturnType<FoundControls['cover']> {
  return this.cover(roots, prefix);
}

/** Returns the sizes of the hosts. Runs inside the page, and is sent as its source text. */
function sizesIn(this: FoundControls): FoundControls['sizes'] {
  return this.sizes;
}

/** Returns the elements that can contain the covers. Runs inside the page, and is sent as its source text. */
function hostsIn(this: FoundControls): FoundControls['hosts'] {
  return this.hosts;
}

interface RemoteCall {
  readonly function: (this: FoundControls, ...values: never[]) => unknown;
  readonly arguments?: readonly object[];
  readonly returnByValue?: boolean;
}

/** Calls a function inside the page with the controls as `this`. */
function callOn(
  send: SendCommand,
  { objectId }: RemoteElement,
  { function: code, ...parameters }: RemoteCall,
): Promise<unknown> {
  return send('Runtime.callFunctionOn', { objectId, functionDeclaration: code.toString(), ...parameters });
}

/** Groups the hosts within `groupLimits`. */
function groupsOf<T>(hosts: readonly T[], sizes: readonly number[]): T[][] {
  const groups: T[][] = [[]];
  let characters = 0;
  for (const [index, host] of hosts.entries()) {
    const size = sizes[index] ?? 0;
    let group = groups.at(-1) ?? [];
    if (group.length >= groupLimits.controls || characters + size > groupLimits.characters) {
      groups.push((group = []));
      characters = 0;
    }
    group.push(host);
    characters += size;
  }
  return groups;
}

function tooManyControls(count: number): Failure {
  const [limit, actual] = [maxControls, count].map((number) => number.toLocaleString('en'));
  return new Failure(
    'tooComplex',
    `With enable_pdf_forms, a page may have ${limit} controls; it has ${actual}.`,
  );
}

function tooMuchInControls(): Failure {
  const limits = '2 million characters in one control and 8 million in all';
  const message = `With enable_pdf_forms, a page may have ${limits}: names, values, labels and options.`;
  return new Failure('tooComplex', message);
}

/** Returns the object ids of the shadow hosts in the order of the controls; undefined for a control without a host. */
async function hostsOf(send: SendCommand, found: RemoteElement): Promise<(string | undefined)[]> {
  const hosts = await resultOf(callOn(send, found, { function: hostsIn }));
  const { result } = (await send('Runtime.getProperties', {
    objectId: hosts.objectId,
    ownProperties: true,
  })) as { result: readonly { name: string; value?: RemoteElement }[] };
  return result.filter(({ name }) => /^\d+$/.test(name)).map(({ value }) => value?.objectId);
}

/** The element that can contain the cover of a control, as an argument of a call, and the id of its host. */
interface CoverPlace {
  readonly root: object;
  readonly node?: number;
}

async function placeIn(
  send: SendCommand,
  host: string | undefined,
  executionContextId: number,
): Promise<CoverPlace> {
  if (host === undefined) return { root: { value: null } };
  const { node } = (await send('DOM.describeNode', { objectId: host, depth: 1, pierce: true })) as {
    node: {
      backendNodeId: number;
      shadowRoots?: readonly { backendNodeId: number; shadowRootType: string }[];
    };
  };
  const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'user-agent');
  // A control without such a root, such as a button, has ordinary children.
  if (root === undefined) return { root: { objectId: host }, node: node.backendNodeId };
  const { backendNodeId } = root;
  const { object } = (await send('DOM.resolveNode', { backendNodeId, executionContextId })) as {
    object: { objectId: string };
  };
  return { root: { objectId: object.objectId }, node: node.backendNodeId };
}

async function resultOf(answer: Promise<unknown>): Promise<RemoteElement> {
  const { result, exceptionDetails } = (await answer) as {
    result: RemoteElement;
    exceptionDetails?: { text: string; exception?: { description?: string } };
  };
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result;
}

// Pictures.

/** The nodes of a page with marked pictures, as plain data, which can be sent to the finishing thread. */
export interface PageSnapshot {
  readonly dom: DomSnapshot;
  /** The beginning of the ids that pictures got. */
  readonly anchorPrefix: string;
}

/** The result of DOMSnapshot.captureSnapshot, as far as it is used. Most numbers are indices of `strings`; -1 is no string. */
export interface DomSnapshot {
  readonly strings: readonly string[];
  readonly documents: readonly {
    readonly nodes: {
      readonly parentIndex: readonly number[];
      readonly nodeType: readonly number[];
      readonly nodeName: readonly number[];
      readonly nodeValue: readonly number[];
      /** The ids that Chromium writes into the structure of a tagged PDF. */
      readonly backendNodeId: readonly number[];
      readonly attributes: readonly (readonly number[])[];
      readonly contentDocumentIndex: { readonly index: readonly number[]; readonly value: readonly number[] };
    };
    readonly layout: {
      readonly nodeIndex: readonly number[];
      /** `visibility` and `list-style-type` of each box. */
      readonly styles: readonly (readonly number[])[];
      /** The text of each box, as it is shown. */
      readonly text: readonly number[];
      /** x, y, width and height of each box. */
      readonly bounds: readonly (readonly number[])[];
    };
  }[];
}

/** The beginning of the ids that pictures without an id get. */
const anchorPrefix = 'platen-picture-';

/** Marks the pictures. The page stays changed. */
export async function markPictures({ window: { contents } }: Page): Promise<void> {
  await callPageScript(contents, 'print-destinations.addPictureAnchors', anchorPrefix);
}

/** Limits of `readSnapshot`, which takes 2 ms of the main thread for 1,000 nodes, 3 ms for 1,000 lines, and 4 ms for a million characters. */
const snapshotLimits: DocumentSize = { nodes: 250_000, characters: 50_000_000, lines: 100_000 };

/**
 * Reads the nodes of a page with marked pictures.
 * @throws Failure tooComplex if the page has too many nodes, characters or lines
 */
export async function readSnapshot({ window: { contents } }: Page): Promise<PageSnapshot> {
  const send: SendCommand = (method, parameters) => contents.debugger.sendCommand(method, parameters);
  const size = await callPageScript(contents, 'document-size.documentSize');
  // Scripts cannot see closed shadow trees, but they are read too.
  const nodes = Math.max(size.nodes, (await nodesInRenderer(send)) / 2);
  const { characters, lines } = size;
  if (nodes > snapshotLimits.nodes || characters > snapshotLimits.characters || lines > snapshotLimits.lines)
    throw tooLargeForPdfUa({ nodes, characters, lines });
  const computedStyles = ['visibility', 'list-style-type'];
  const dom = (await send('DOMSnapshot.captureSnapshot', { computedStyles })) as DomSnapshot;
  return { dom, anchorPrefix };
}

/** Returns the number of nodes in all documents and outside of them; without those of earlier jobs if they are many. */
async function nodesInRenderer(send: SendCommand): Promise<number> {
  const count = async () => ((await send('Memory.getDOMCounters')) as { nodes: number }).nodes;
  const nodes = await count();
  if (nodes <= snapshotLimits.nodes) return nodes;
  await send('HeapProfiler.collectGarbage');
  return count();
}

function tooLargeForPdfUa(size: DocumentSize): Failure {
  const limits = sizeText(snapshotLimits);
  const message = `For PDF/UA, a page may have ${limits}; it has ${sizeText(size)}.`;
  return new Failure('tooComplex', message);
}

function sizeText({ nodes, characters, lines }: DocumentSize): string {
  const [nodeCount, characterCount, lineCount] = [nodes, characters, lines].map((count) =>
    Math.round(count).toLocaleString('en'),
  );
  return `${nodeCount} nodes, ${characterCount} characters and ${lineCount} lines`;
}
