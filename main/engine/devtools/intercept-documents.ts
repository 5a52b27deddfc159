/**
 * Changes the Content-Type of documents based on their content. Electron's webRequest gives access only to headers. Therefore
 * responses are paused in the Fetch domain of the DevTools protocol, where their bodies can be read.
 */
import type { Debugger } from 'electron';

export interface TypeRewriting {
  /** Returns the new Content-Type, or undefined to keep the response as it is. */
  readonly rewrite: (contentType: string, bytes: Buffer) => string | undefined;
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
  const bytes = isRead ? await bodyOf(debug, requestId) : Buffer.alloc(0);
  if (bytes === undefined) {
    await debug.sendCommand('Fetch.failRequest', { requestId, errorReason: 'Failed' });
    return;
  }
  // A body that was taken must be sent, even if the type stays the same.
  const rewritten = isRead ? (rewriting.rewrite(contentType, bytes) ?? contentType) : undefined;
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

/** Maximum size of a document that is read. Reading keeps several copies of the body in this process. */
const maxBodyBytes = 8_000_000;

/** A document without a length, or one that is compressed, may turn out to be too large only while it is read. */
function isReadable(headers: PausedHeaders): boolean {
  return Number(valueOf(headers, 'content-length') ?? 0) <= maxBodyBytes;
}

function valueOf(headers: PausedHeaders, header: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === header)?.value;
}

/** Size of the parts in which a body is read, in bytes. */
const partBytes = 1_000_000;

/**
 * Returns the decoded body of a paused response; undefined if it is larger than `maxBodyBytes`, as 77 bytes of Brotli can be. An empty
 * buffer if the response has no body, as with status 204.
 */
async function bodyOf(debug: Debugger, requestId: string): Promise<Buffer | undefined> {
  const stream = await streamOf(debug, requestId);
  if (stream === undefined) return Buffer.alloc(0);
  const parts: Buffer[] = [];
  let length = 0;
  for (;;) {
    const part = (await debug.sendCommand('IO.read', { handle: stream, size: partBytes })) as StreamPart;
    const bytes = Buffer.from(part.data, part.base64Encoded === true ? 'base64' : 'utf8');
    if ((length += bytes.length) > maxBodyBytes) return undefined;
    parts.push(bytes);
    if (part.eof) return Buffer.concat(parts);
  }
}

interface StreamPart {
  readonly data: string;
  readonly base64Encoded?: boolean;
  readonly eof: boolean;
}

/** Returns the handle of the body; undefined if the response has none. */
async function streamOf(debug: Debugger, requestId: string): Promise<string | undefined> {
  try {
    const { stream } = (await debug.sendCommand('Fetch.takeResponseBodyAsStream', { requestId })) as {
      stream: string;
    };
    return stream;
  } catch {
    return undefined;
  }
}
