/** Builds responses: service, output and security headers, files from disk, and a signal for callers that disconnect. */
import type { Response, RequestHandler } from 'express';
import type { ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import helmet from 'helmet';
import { extname } from 'node:path';
import { contentType } from 'mime-types';
import type { Duplex } from 'node:stream';
import { create } from 'content-disposition';
import type { ConversionResult } from '../../conversion/convert.ts';
import type { NoteFacts } from '../../conversion/note-facts.ts';
import type { Options } from '../../job/options.ts';
import { requestedName } from '../../job/job.ts';
import { CallerDisconnected } from '../../conversion/job-log.ts';
import { sha256Of } from '../../async/sha256.ts';
import { Failure } from '../../failure/failure.ts';
import { normalized } from '../../fields/normalized.ts';

/** Header names without the prefix `x-service-`, and their values. */
type ServiceHeaders = Readonly<Record<string, string | number | undefined>>;

/** Sets each header once per prefix. Skips undefined values. */
export function setServiceHeaders(
  response: Response,
  prefixes: readonly string[],
  headers: ServiceHeaders,
): void {
  for (const prefix of prefixes) {
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) response.set(`x-${prefix}-${name}`, String(value));
    }
  }
}

/** Sets the headers that count the warnings about a job and list their codes, each once. */
export function setNoteHeaders(response: Response, prefixes: readonly string[], notes: NoteFacts): void {
  const { notes: count, noteCodes = [] } = notes;
  setServiceHeaders(response, prefixes, { notes: count, 'note-codes': noteCodes.join(',') });
}

/** Returns the Repr-Digest of a body (RFC 9530), with which a caller detects damage on the way. */
export async function reprDigest(bytes: Uint8Array): Promise<string> {
  return reprDigestOf(await sha256Of(bytes, 'base64'));
}

/** Returns the Repr-Digest of a short text. */
export function reprDigestOfText(text: string): string {
  return reprDigestOf(createHash('sha256').update(text).digest('base64'));
}

/** Returns the Repr-Digest of a body with this SHA-256 digest in base64. */
export function reprDigestOf(sha256: string): string {
  return `sha-256=:${sha256}:`;
}

/** What the headers of an output say. */
export interface OutputHeaders extends Pick<ConversionResult, 'receipt'> {
  readonly contentType: string;
  readonly pages: ConversionResult['output']['pages'];
  /** Size in bytes. */
  readonly bytes: number;
  readonly contentDisposition: string;
  /** The Repr-Digest. */
  readonly digest: string;
}

/** Sets the headers of a converted document or image. */
export function setOutputHeaders(
  response: Response,
  prefixes: readonly string[],
  { bytes, contentType, pages, receipt, contentDisposition, digest }: OutputHeaders,
): void {
  setServiceHeaders(response, prefixes, {
    'consumed-credits': receipt.consumed,
    'remaining-credits': receipt.remaining,
    'output-size': bytes,
    pages: pages?.printed,
    'total-pages': pages?.total,
  });
  liftPagePolicy(response);
  response.status(200).set({
    'content-type': contentType,
    'content-length': String(bytes),
    'content-disposition': contentDisposition,
    'repr-digest': digest,
  });
}

/** Returns a signal that aborts with CallerDisconnected when the connection closes before the response is sent. */
export function disconnectSignal(response: Response): AbortSignal {
  const { socket } = response.req;
  const gone = new AbortController();
  const onClose = () => {
    socket.off('close', onClose);
    if (!response.writableFinished) gone.abort(disconnection(socket));
  };
  response.once('close', onClose);
  // A pipelined response that waits for an earlier response gets no separate `close` event.
  socket.once('close', onClose);
  if (response.destroyed || socket.destroyed) onClose();
  return gone.signal;
}

/** Calls `send` unless the caller has disconnected, and resolves when the response has been sent or the caller has disconnected. */
export async function untilSent(response: Response, send: () => Promise<void>): Promise<void> {
  const disconnected = disconnectSignal(response);
  if (disconnected.aborted) return;
  const sent = new Promise<void>((resolve) => {
    response.once('finish', resolve);
    disconnected.addEventListener('abort', () => {
      resolve();
    });
  });
  await send();
  await sent;
}

/** Returns why the connection was closed. If the caller stopped reading (stalls.ts), the error of the socket says so. */
export function disconnection({ errored }: Duplex): CallerDisconnected {
  return errored instanceof CallerDisconnected ? errored : new CallerDisconnected();
}

// Security headers of all responses, including the content security policy of pages.

/** The content security policy of responses that are not pages: nothing may be loaded or executed. */
const denyAllPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Returns middleware that sets the security headers. A handler may replace the content security policy later. */
export function securityHeaders(): RequestHandler[] {
  const general = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    // These headers are obsolete, or only for browsers without content security policy, or only for Flash.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  const policy: RequestHandler = (_request, response, next) => {
    response.set({ 'content-security-policy': denyAllPolicy, 'cache-control': 'no-store' });
    next();
  };
  return [general, policy, strictTransport];
}

/**
 * Sends Strict-Transport-Security only if the service listens on port 443. A browser applies the header to every port of the host
 * (RFC 6797, 8.3), and other services on the same machine may use plain HTTP.
 */
const strictTransport: RequestHandler = (request, response, next) => {
  if ('encrypted' in request.socket && request.socket.localPort === 443)
    response.set('strict-transport-security', 'max-age=31536000');
  next();
};

/** Returns the content security policy of a page that has no scripts and only this style sheet. */
export function policyForStyle(sheet: string): string {
  const hash = createHash('sha256').update(sheet).digest('base64');
  return `${denyAllPolicy}; style-src 'sha256-${hash}'`;
}

export function setPagePolicy(response: Response, policy: string): void {
  response.set('content-security-policy', policy);
}

/**
 * Removes the content security policy from the response with a document or image. `default-src 'none'` implies `object-src 'none'`,
 * under which Chromium's PDF viewer shows nothing.
 */
export function liftPagePolicy(response: Response): void {
  response.removeHeader('content-security-policy');
}

// Responses with a file from disk (GET or HEAD), and Content-Disposition headers.

interface SendFileOptions {
  /** The folder that must contain the file. Required if the path comes from the request; absent for a trusted absolute path. */
  readonly root?: string;
  /** The error message if the file does not exist. */
  readonly missing: string;
  /** The media type; by default derived from the file name extension. */
  readonly type?: string;
  /** The Content-Disposition header; by default none. */
  readonly disposition?: string;
  /** The Cache-Control header; absent if the file must not be cached. */
  readonly cached?: string;
}

/** Sends a file. @throws Failure notFound if the file does not exist below the root or cannot be sent */
export async function sendFile(
  response: Response,
  path: string,
  fileOptions: SendFileOptions,
): Promise<void> {
  const { root, missing, cached } = fileOptions;
  const headers = headersOf(path, fileOptions);
  response.set(headers);
  const options = {
    ...(root !== undefined && { root }),
    // A trusted path may contain a hidden folder (.build, ~/.local). Hidden files below a root are never served.
    dotfiles: root === undefined ? ('allow' as const) : ('ignore' as const),
    cacheControl: false,
    acceptRanges: false,
    etag: cached !== undefined,
    lastModified: false,
  };
  await new Promise<void>((resolve, reject) => {
    response.sendFile(path, options, (problem?: NodeJS.ErrnoException) => {
      // The file was sent completely, or the caller disconnected.
      if (problem === undefined || response.headersSent || problem.code === 'ECONNABORTED') {
        resolve();
        return;
      }
      for (const name of Object.keys(headers)) response.removeHeader(name);
      response.set('cache-control', 'no-store');
      reject(new Failure('notFound', missing, { cause: problem }));
    });
  });
}

function headersOf(path: string, { type, disposition, cached }: SendFileOptions): Record<string, string> {
  // contentType returns false for an unknown extension.
  const mediaType = type ?? (contentType(extname(path)) || 'application/octet-stream');
  return {
    'content-type': mediaType,
    ...(disposition !== undefined && { 'content-disposition': disposition }),
    ...(cached !== undefined && { 'cache-control': cached }),
  };
}

type NameOptions = Pick<Options, 'content_disposition' | 'output_format' | 'output_name'>;

/**
 * Returns the Content-Disposition of an output (RFC 6266), such as
 * `attachment; filename="Rechnung_10_.pdf"; filename*=UTF-8''Rechnung%2010%E2%82%AC.pdf`.
 */
export function contentDisposition(options: NameOptions): string {
  return dispositionOf(requestedName(options), options.content_disposition);
}

/** Returns the Content-Disposition for a file name. */
export function dispositionOf(name: string, type: Options['content_disposition']): string {
  const header = create(name, { type, fallback: asciiName(name) });
  // The quotes are optional around some names, but many clients require them.
  return header.replace(/; filename=([^";]+)/, '; filename="$1"');
}

/**
 * Returns an ASCII name for clients that ignore `filename*`. Some of them misread quotes and percent signs (RFC 6266, appendix D).
 */
function asciiName(name: string): string {
  return normalized(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["/\\]|%(?=[\da-f]{2})/giu, '_');
}

// Idle connections.

/** Time after which the server closes an idle connection, in milliseconds. */
export const keepAliveTimeoutMs = 180_000;

/**
 * The timeout in the header Keep-Alive, in seconds. It is much shorter, because a request on a connection that the server is closing
 * is lost. A busy client notices the end of the timeout late: one that prepares a large request may do nothing else for half a minute,
 * and then use a connection that has long been idle. It must be longer than the timeout of a proxy in front of the service, which for
 * nginx is 60 s.
 */
const announcedSeconds = 62;

/** Sets the header Keep-Alive, in which Node would announce the full timeout. */
export function announceKeepAlive(response: ServerResponse): void {
  if (response.shouldKeepAlive) response.setHeader('keep-alive', `timeout=${announcedSeconds}`);
}

/** Closes the connection after the response. */
export function closeAfterResponse(response: ServerResponse): void {
  response.setHeader('connection', 'close');
  response.removeHeader('keep-alive');
}
