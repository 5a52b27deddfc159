/**
 * Marks controls and pictures of a page before it is printed. Only Chromium can determine where an element is printed, and in the PDF it
 * records only the positions of links and of their targets. Therefore each control is covered with an empty link, so that it can become a
 * form field, and each picture becomes the target of a hidden link.
 */
import { randomUUID } from 'node:crypto';
import type { Debugger } from 'electron';
import type { FoundControls } from '../page-scripts/controls/controls.ts';
import type { FormField } from '../page-scripts/controls/form-field.ts';
import type { Page } from '../page.ts';
import { callPageScript, pageScriptCall } from './evaluate.ts';

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

type SendFormCommand = (method: string, parameters: object) => Promise<unknown>;

/**
 * Adds the covers to the controls' user-agent shadow roots (the text of an input, the arrow of a select), and returns the fields.
 * Scripts cannot reach these roots, but the DevTools protocol can. Content that is added to them matches no selector of the page,
 * does not move other content, and is printed where its control is printed.
 * @throws Error if the script throws
 */
async function markControls(target: Debugger, prefix: string): Promise<FormField[]> {
  const send: SendFormCommand = (method, parameters) =>
    target.sendCommand(method, parameters) as Promise<unknown>;
  const executionContextId = await createIsolatedWorld(send);
  const expression = await pageScriptCall('controls.openControls');
  const found = await resultOf(send('Runtime.evaluate', { expression, contextId: executionContextId }));
  const hosts = await hostsOf(send, found);
  const places = await Promise.all(hosts.map((host) => placeIn(send, host, executionContextId)));
  const { value } = await resultOf(
    send('Runtime.callFunctionOn', {
      objectId: found.objectId,
      functionDeclaration: coverIn.toString(),
      arguments: [{ value: prefix }, ...places.map(({ root }) => root)],
      returnByValue: true,
    }),
  );
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
): FormField[] {
  return this.cover(roots, prefix);
}

/** Returns the elements that can contain the covers. Runs inside the page, and is sent as its source text. */
function hostsIn(this: FoundControls): FoundControls['hosts'] {
  return this.hosts;
}

/** Creates an isolated world, which exists as long as the document, and returns its context id. */
async function createIsolatedWorld(send: SendFormCommand): Promise<number> {
  const { frameTree } = (await send('Page.getFrameTree', {})) as { frameTree: { frame: { id: string } } };
  const world = { frameId: frameTree.frame.id, worldName: 'platen' };
  const { executionContextId } = (await send('Page.createIsolatedWorld', world)) as {
    executionContextId: number;
  };
  return executionContextId;
}

/** Returns the object ids of the shadow hosts in the order of the controls; undefined for a control without a host. */
async function hostsOf(send: SendFormCommand, found: RemoteElement): Promise<(string | undefined)[]> {
  const hosts = await resultOf(
    send('Runtime.callFunctionOn', {
      objectId: found.objectId,
      functionDeclaration: hostsIn.toString(),
    }),
  );
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
  send: SendFormCommand,
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

/** Reads the nodes of a page with marked pictures. */
export async function readSnapshot({ window }: Page): Promise<PageSnapshot> {
  const computedStyles = ['visibility', 'list-style-type'];
  const { debugger: target } = window.contents;
  const dom = (await target.sendCommand('DOMSnapshot.captureSnapshot', { computedStyles })) as DomSnapshot;
  return { dom, anchorPrefix };
}
