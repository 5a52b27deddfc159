/**
 * Serves a job's own document to its window, under the scheme `platen:`. One origin per window, so that a renderer is
 * kept; a token per document, so that requests of an earlier one are refused. Never `file:`.
 */
import { randomUUID } from 'node:crypto';
import { protocol, type Session } from 'electron';
import type { Source } from '../input/source.ts';

const scheme = 'platen';
const origin = `${scheme}://job/`;

/** Loaded between jobs. */
export const blankPage = `${origin}blank`;

/** True for addresses this scheme serves. */
export function isOwn(url: string): boolean {
  return url.startsWith(origin);
}

/**
 * To be called before Electron is ready. Not `secure`: pictures from plain http, which office pages have, would be
 * blocked as mixed content.
 */
export function registerScheme(): void {
  const privileges = { standard: true, supportFetchAPI: true, corsEnabled: true, stream: true };
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }]);
}

type DocumentSource = Extract<Source, { kind: 'document' }>;

export interface JobDocument {
  /** Serves this document until the next call of either; its address. */
  readonly serve: (source: DocumentSource) => string;
  readonly withdraw: () => void;
}

/** Nothing in such a document can run; the policy says so too, should the test that found it so be wrong. */
const scriptless = "script-src 'none'; object-src 'none'; frame-src 'none'; child-src 'none'";

export function openJobDocument(session: Session): JobDocument {
  let served: { readonly address: string; readonly source: DocumentSource } | undefined;
  session.protocol.handle(scheme, (request) => {
    if (request.url === blankPage) return new Response('', { headers: { 'content-type': 'text/html' } });
    if (served === undefined || request.url.split(/[?#]/)[0] !== served.address) return missing();
    return new Response(served.source.bytes, { headers: headersOf(served.source) });
  });
  return {
    serve(source) {
      served = { address: `${origin}${randomUUID()}/index.html`, source };
      return served.address;
    },
    withdraw() {
      served = undefined;
    },
  };
}

function headersOf({ contentType, scripts }: DocumentSource): Record<string, string> {
  const policy = scripts ? {} : { 'content-security-policy': scriptless };
  return { 'content-type': contentType, 'cache-control': 'no-store', ...policy };
}

function missing(): Response {
  return new Response('', { status: 404 });
}
