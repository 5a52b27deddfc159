/**
 * Changes the Content-Type of documents by what is in them. Electron's webRequest shows headers alone, so their answers are
 * held in DevTools' Fetch domain, whose answers can be read first.
 */
import type { Debugger } from 'electron';

/** The Content-Type to take the document with; undefined: as it is. */
export type RewriteType = (contentType: string, bytes: Buffer) => string | undefined;

interface Paused {
  readonly requestId: string;
  /** Undefined when no answer came. */
  readonly responseStatusCode?: number;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
}

const documents = { urlPattern: 'http*', resourceType: 'Document', requestStage: 'Response' };

/** What it returns begins, changes or ends the interception. */
export function interceptDocuments(debug: Debugger): (rewrite: RewriteType | undefined) => Promise<void> {
  let current: RewriteType | undefined;
  debug.on('message', (_event, method: string, paused: Paused) => {
    if (method !== 'Fetch.requestPaused') return;
    // The page may be gone by then.
    goOn(debug, paused, current).catch(() => {});
  });
  return async (rewrite) => {
    current = rewrite;
    if (rewrite === undefined) await debug.sendCommand('Fetch.disable');
    else await debug.sendCommand('Fetch.enable', { patterns: [documents] });
  };
}

async function goOn(debug: Debugger, paused: Paused, rewrite: RewriteType | undefined): Promise<void> {
  const { requestId, responseStatusCode = 0, responseHeaders = [] } = paused;
  const contentType = responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  const readable = responseStatusCode >= 200 && (responseStatusCode < 300 || responseStatusCode >= 400);
  const bytes = readable ? await bodyOf(debug, requestId) : Buffer.alloc(0);
  const rewritten = readable ? rewrite?.(contentType, bytes) : undefined;
  if (rewritten === undefined) {
    await debug.sendCommand('Fetch.continueRequest', { requestId });
    return;
  }
  const kept = responseHeaders.filter(({ name }) => !replaced.test(name));
  // With the body: other headers alone would leave the character set as it was read from the old ones.
  await debug.sendCommand('Fetch.fulfillRequest', {
    ...{ requestId, responseCode: responseStatusCode, body: bytes.toString('base64') },
    responseHeaders: [...kept, { name: 'Content-Type', value: rewritten }],
  });
}

/** The body is decoded by now; its cookies are in the jar. */
const replaced = /^(content-(type|encoding|length)|transfer-encoding|set-cookie)$/i;

/** Empty where there is none, as with 204. */
async function bodyOf(debug: Debugger, requestId: string): Promise<Buffer> {
  try {
    const answer: unknown = await debug.sendCommand('Fetch.getResponseBody', { requestId });
    const { body, base64Encoded } = answer as { body: string; base64Encoded: boolean };
    return Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
  } catch {
    return Buffer.alloc(0);
  }
}
