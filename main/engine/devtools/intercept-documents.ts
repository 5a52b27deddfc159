/**
 * Changes the Content-Type of documents based on their content. Electron's webRequest gives access only to headers. Therefore
 * responses are paused in the Fetch domain of the DevTools protocol, where their bodies can be read.
 */
import type { Debugger } from 'electron';

/** Returns the new Content-Type, or undefined to keep the response as it is. */
export type RewriteType = (contentType: string, bytes: Buffer) => string | undefined;

interface Paused {
  readonly requestId: string;
  /** Undefined if there was no response. */
  readonly responseStatusCode?: number;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
}

const documentPattern = { urlPattern: 'http*', resourceType: 'Document', requestStage: 'Response' };

/** Returns a function that starts, changes or (with undefined) ends the interception. */
export function interceptDocuments(debug: Debugger): (rewrite: RewriteType | undefined) => Promise<void> {
  let current: RewriteType | undefined;
  debug.on('message', (_event, method: string, paused: Paused) => {
    if (method !== 'Fetch.requestPaused') return;
    // The commands fail if the page has closed meanwhile.
    continueRequest(debug, paused, current).catch(() => {});
  });
  return async (rewrite) => {
    current = rewrite;
    if (rewrite === undefined) await debug.sendCommand('Fetch.disable');
    else await debug.sendCommand('Fetch.enable', { patterns: [documentPattern] });
  };
}

async function continueRequest(
  debug: Debugger,
  paused: Paused,
  rewrite: RewriteType | undefined,
): Promise<void> {
  const { requestId, responseStatusCode = 0, responseHeaders = [] } = paused;
  const contentType = responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  const hasBody = responseStatusCode >= 200 && (responseStatusCode < 300 || responseStatusCode >= 400);
  const bytes = hasBody ? await bodyOf(debug, requestId) : Buffer.alloc(0);
  const rewritten = hasBody ? rewrite?.(contentType, bytes) : undefined;
  if (rewritten === undefined) {
    await debug.sendCommand('Fetch.continueRequest', { requestId });
    return;
  }
  const otherHeaders = responseHeaders.filter(({ name }) => !droppedHeader.test(name));
  // Send the body too: if only the headers change, Chromium keeps the character set of the old Content-Type.
  await debug.sendCommand('Fetch.fulfillRequest', {
    requestId,
    responseCode: responseStatusCode,
    body: bytes.toString('base64'),
    responseHeaders: [...otherHeaders, { name: 'Content-Type', value: rewritten }],
  });
}

/** Headers that no longer apply: the body is already decoded, and the cookies are already stored. */
const droppedHeader = /^(content-(type|encoding|length)|transfer-encoding|set-cookie)$/i;

/** Returns the decoded body of a paused response; an empty buffer if the response has no body, as with status 204. */
async function bodyOf(debug: Debugger, requestId: string): Promise<Buffer> {
  try {
    const answer: unknown = await debug.sendCommand('Fetch.getResponseBody', { requestId });
    const { body, base64Encoded } = answer as { body: string; base64Encoded: boolean };
    return Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
  } catch {
    return Buffer.alloc(0);
  }
}
