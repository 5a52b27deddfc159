/**
 * Gives our own functions, besides elements of a page, the roots of what Chromium builds inside them (the text of an input,
 * the arrow of a select). No script can reach these; the DevTools protocol can. What is put there is under no selector of
 * the page, shifts nothing in it, and stays with its element wherever printing puts that.
 */
import type { Debugger } from 'electron';
import { withProgram } from './page-program.ts';

interface RemoteObject {
  readonly objectId?: string;
  readonly value?: unknown;
}

type Send = (method: string, parameters: object) => Promise<unknown>;

const program = `(() => {
  const elements = program.findControls();
  return { elements, hosts: elements.map(program.hostOf), work: program.coverControls };
})()`;

/** What the program `controls` makes of the page's controls and their roots. @throws Error when it throws. */
export async function insideControls(target: Debugger, parameter: string): Promise<unknown> {
  const send: Send = (method, parameters) => target.sendCommand(method, parameters) as Promise<unknown>;
  const executionContextId = await openWorld(send);
  const expression = await withProgram('controls', program);
  const found = await evaluated(send('Runtime.evaluate', { expression, contextId: executionContextId }));
  const hosts = await elementsOf(send, found);
  const roots = await Promise.all(hosts.map((host) => rootOf(send, host, executionContextId)));
  const { value } = await evaluated(
    send('Runtime.callFunctionOn', {
      objectId: found.objectId,
      functionDeclaration:
        'function (parameter, ...roots) { return this.work(this.elements, roots, parameter) }',
      arguments: [{ value: parameter }, ...roots],
      returnByValue: true,
    }),
  );
  return value;
}

/** A world the page's scripts cannot reach; it ends with the document. */
async function openWorld(send: Send): Promise<number> {
  const { frameTree } = (await send('Page.getFrameTree', {})) as { frameTree: { frame: { id: string } } };
  const world = { frameId: frameTree.frame.id, worldName: 'platen' };
  const { executionContextId } = (await send('Page.createIsolatedWorld', world)) as {
    executionContextId: number;
  };
  return executionContextId;
}

/** The hosts, in order; undefined where there is none. */
async function elementsOf(send: Send, found: RemoteObject): Promise<(string | undefined)[]> {
  const hosts = await evaluated(
    send('Runtime.callFunctionOn', {
      objectId: found.objectId,
      functionDeclaration: 'function () { return this.hosts }',
    }),
  );
  const { result } = (await send('Runtime.getProperties', {
    objectId: hosts.objectId,
    ownProperties: true,
  })) as { result: readonly { name: string; value?: RemoteObject }[] };
  return result.filter(({ name }) => /^\d+$/.test(name)).map(({ value }) => value?.objectId);
}

async function rootOf(send: Send, host: string | undefined, executionContextId: number): Promise<object> {
  if (host === undefined) return { value: null };
  const { node } = (await send('DOM.describeNode', { objectId: host, depth: 1, pierce: true })) as {
    node: { shadowRoots?: readonly { backendNodeId: number; shadowRootType: string }[] };
  };
  const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'user-agent');
  // An element without such a root, a button, has ordinary children.
  if (root === undefined) return { objectId: host };
  const { backendNodeId } = root;
  const { object } = (await send('DOM.resolveNode', { backendNodeId, executionContextId })) as {
    object: { objectId: string };
  };
  return { objectId: object.objectId };
}

async function evaluated(answer: Promise<unknown>): Promise<RemoteObject> {
  const { result, exceptionDetails } = (await answer) as {
    result: RemoteObject;
    exceptionDetails?: { text: string; exception?: { description?: string } };
  };
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result;
}
