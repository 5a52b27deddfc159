/**
 * Marks the controls of HTML forms so that they can become form fields of the printed PDF. Only Chromium can determine where a
 * control is printed, and in the PDF it records only the positions of links. Therefore each control is covered with an empty link.
 */
import { randomUUID } from 'node:crypto';
import type { Debugger } from 'electron';
import type { FoundControls } from '../page-scripts/controls/controls.ts';
import type { FormField } from '../page-scripts/controls/form-field.ts';
import type { Page } from '../page.ts';
import { pageScriptCall } from './evaluate.ts';

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
  const roots = await Promise.all(hosts.map((host) => rootOf(send, host, executionContextId)));
  const { value } = await resultOf(
    send('Runtime.callFunctionOn', {
      objectId: found.objectId,
      functionDeclaration: coverIn.toString(),
      arguments: [{ value: prefix }, ...roots],
      returnByValue: true,
    }),
  );
  return value as FormField[];
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

async function rootOf(
  send: SendFormCommand,
  host: string | undefined,
  executionContextId: number,
): Promise<object> {
  if (host === undefined) return { value: null };
  const { node } = (await send('DOM.describeNode', { objectId: host, depth: 1, pierce: true })) as {
    node: { shadowRoots?: readonly { backendNodeId: number; shadowRootType: string }[] };
  };
  const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'user-agent');
  // A control without such a root, such as a button, has ordinary children.
  if (root === undefined) return { objectId: host };
  const { backendNodeId } = root;
  const { object } = (await send('DOM.resolveNode', { backendNodeId, executionContextId })) as {
    object: { objectId: string };
  };
  return { objectId: object.objectId };
}

async function resultOf(answer: Promise<unknown>): Promise<RemoteElement> {
  const { result, exceptionDetails } = (await answer) as {
    result: RemoteElement;
    exceptionDetails?: { text: string; exception?: { description?: string } };
  };
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result;
}
