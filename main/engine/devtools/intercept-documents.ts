/**
 * Changes the Content-Type of documents based on their content. Electron's webRequest gives access only to headers. Therefore
 * responses are paused in the Fetch domain of the DevTools protocol, where their bodies can be read.
 */
import type { Debugger } from 'electron';

export interface TypeRewriting {
  /** Returns the new Content-Type, or undefined to keep the response as it is. */
  readonly rewrite: (contentType: string, bytes: Buffer) => string | undefined;
  /** Returns the number of bytes that the page has received and sent. */
  readonly transferredBytes: () => number;
}

type PausedHeaders = readonly { readonly name: string; readonly value: string }[];

interface Paused {
  readonly requestId: string;
  /** Undefined if there was no response. */
  readonly responseStatusCode?: number;
  readonly responseHeaders?: PausedHeaders;
}

const documentPattern = { urlPattern: 'http*', resourceType: 'Document', requestStage: 'Response' };

/** Returns a function that starts, changes or (with undefined) ends the interception. */
export function interceptDocuments(debug: Debugger): (rewriting: TypeRewriting | undefined) => Promise<void> {
  let current: TypeRewriting | undefined;
  debug.on('message', (_event, method: string, paused: Paused) => {
    if (method !== 'Fetch.requestPaused') return;
    // The commands fail if the page has closed meanwhile.
    continueRequest(debug, paused, current).catch(() => {});
  });
  return async (rewriting) => {
    current = rewriting;
    if (rewriting === undefined) await debug.sendCommand('Fetch.disable');
    else await debug.sendCommand('Fetch.enable', { patterns: [documentPattern] });
  };
}

async function continueRequest(
  debug: Debugger,
  paused: Paused,
  rewriting: TypeRewriting | undefined,
): Promise<void> {
  const { requestId, responseStatusCode = 0, responseHeaders = [] } = paused;
  const contentType = valueOf(responseHeaders, 'content-type') ?? '';
  const hasBody = responseStatusCode >= 200 && (responseStatusCode < 300 || responseStatusCode >= 400);
  // Without reading the body: most responses declare their character set, or are no documents.
  const mayChange = hasBody && rewriting?.rewrite(contentType, Buffer.alloc(0)) !== undefined;
  const isRead = mayChange && isReadable(responseHeaders);
  const bytes = isRead ? await bodyOf(debug, requestId, rewriting.transferredBytes) : Buffer.alloc(0);
  const rewritten = isRead ? rewriting.rewrite(contentType, bytes) : undefined;
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

/** Maximum Content-Length of a document that is read: 13 ms of the main thread for each megabyte, and several copies. */
const maxBodyBytes = 3_000_000;

/**
 * The maximum number of bytes that the page may transfer while an uncompressed document without a Content-Length is read. Then the
 * request fails. The page may load other resources meanwhile.
 */
const maxTransferredBytes = 8_000_000;

/**
 * Returns whether the body is small enough to be read. An uncompressed body may have any length if its headers declare none. A
 * compressed one may decompress to any multiple of its size (100 MB of blanks are 77 bytes of Brotli); servers are asked to send
 * documents uncompressed (RequestRules.readsDocuments).
 */
function isReadable(headers: PausedHeaders): boolean {
  const isCompressed = (valueOf(headers, 'content-encoding') ?? 'identity') !== 'identity';
  return !isCompressed && Number(valueOf(headers, 'content-length') ?? 0) <= maxBodyBytes;
}

function valueOf(headers: PausedHeaders, header: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === header)?.value;
}

/**
 * Returns the decoded body of a paused response; an empty buffer if the response has no body, as with status 204, or if the request
 * failed because of `maxTransferredBytes`.
 */
async function bodyOf(
  debug: Debugger,
  requestId: string,
  transferredBytes: TypeRewriting['transferredBytes'],
): Promise<Buffer> {
  const maxBytes = transferredBytes() + maxTransferredBytes;
  const timer = setInterval(() => {
    if (transferredBytes() <= maxBytes) return;
    clearInterval(timer);
    debug.sendCommand('Fetch.failRequest', { requestId, errorReason: 'Failed' }).catch(() => {});
  }, checkIntervalMs);
  try {
    const answer: unknown = await debug.sendCommand('Fetch.getResponseBody', { requestId });
    const { body, base64Encoded } = answer as { body: string; base64Encoded: boolean };
    return Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
  } catch {
    return Buffer.alloc(0);
  } finally {
    clearInterval(timer);
  }
}

const checkIntervalMs = 20;
